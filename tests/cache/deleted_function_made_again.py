"""A function that was deleted leaves no trace to its successor."""

import jax

for k in range(3):
    @jax.jit
    def f(x):  # traced: 3
        return x + k

    f(1.0)
    f(2.0)
    del f
