import functools
import jax
import jax.numpy as jnp


@functools.lru_cache
def table(n):
    return jnp.arange(n) ** 2


@jax.jit
def lookup(i):
    return table(8)[i]


@jax.jit
def lookup_twice(i):
    return table(8)[i] * 2


lookup(3)
lookup_twice(3)
