import jax
import jax.numpy as jnp


def try_multiply(a, b):
    try:
        return a @ b
    except TypeError:
        return a.T @ b


x = try_multiply(jnp.ones((3, 2)), jnp.ones((3, 4)))
y = try_multiply(jnp.ones((3, 2)), jnp.ones((5, 4)))
