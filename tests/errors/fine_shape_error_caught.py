import jax.numpy as jnp


def add(a, b):
    try:
        return a + b
    except (TypeError, ValueError):
        return a + b[:, None]


add(jnp.ones((3, 2)), jnp.ones(3))
