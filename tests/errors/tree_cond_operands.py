import jax
import jax.numpy as jnp


def update(x, y):
    return x + y


jax.lax.cond(True, update, lambda x: x, jnp.ones(2), jnp.ones(2))
