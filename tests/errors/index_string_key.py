import jax
import jax.numpy as jnp

params = jnp.ones((3, 2))


def forward(params, x):
    return x @ params["w"]


jax.jit(forward)(params, jnp.ones((1, 3)))
