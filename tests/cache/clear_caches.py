"""After `jax.clear_caches()` everything is traced again."""

import jax


@jax.jit
def f(x):  # traced: 2
    return x + 1


f(1.0)
f(2.0)
jax.clear_caches()
f(1.0)
f(2.0)
