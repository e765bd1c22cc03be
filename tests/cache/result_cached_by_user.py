"""A user's cache in front of a jitted function."""

import functools

import jax


@jax.jit
def slow(x):  # traced: 2
    return x * 2


@functools.lru_cache
def remembered(n):
    return slow(float(n))


for n in (1, 2, 1, 2):
    remembered(n)
remembered.cache_clear()
jax.clear_caches()
remembered(1)
