import functools

import jax


@functools.lru_cache
def square(x):
    return x * x


square(3.0)
jax.jit(square)(3.0)
