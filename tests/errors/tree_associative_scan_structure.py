import jax
import jax.numpy as jnp


def combine(a, b):
    return a[0] * b[0]


jax.lax.associative_scan(combine, (jnp.ones(4), jnp.ones(4)))
