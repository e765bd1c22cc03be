"""int, then weak float, then strong float."""

import jax


@jax.jit
def step(x, w):  # traced: 3
    return x / 2, w * x


x, w = 1, 1
for _ in range(5):
    x, w = step(x, w)
