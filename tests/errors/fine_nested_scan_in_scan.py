import jax
import jax.numpy as jnp


def inner(total, x):
    return total + x * 2, None


def outer(carry, row):
    total, _ = jax.lax.scan(inner, 0, row)
    return carry + total, total


jax.lax.scan(outer, 0.0, jnp.ones((3, 4)))
