import jax
import jax.numpy as jnp

weights = [jnp.eye(2), jnp.eye(2)]


def forward(x):
    for i in range(3):
        x = x @ weights[i]
    return x


jax.jit(forward)(jnp.ones(2))
