"""A trace that raised is not remembered."""

import jax

ready = False


@jax.jit
def f(x):  # traced: 2
    if not ready:
        raise RuntimeError("not ready")
    return x + 1


for _ in range(3):
    try:
        f(1.0)
    except RuntimeError:
        ready = True
f(1.0)
