import jax
import jax.numpy as jnp


@jax.jit
def forward(params, x):
    return x @ params["weight"] + params["bias"]


forward({"weights": jnp.ones((2, 2)), "bias": 0.0}, jnp.ones(2))
