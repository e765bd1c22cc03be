"""Batches that a generator makes."""

import jax
import jax.numpy as jnp
import numpy as np


def batches(n, size):
    for i in range(0, n, size):
        yield np.zeros((min(size, n - i), 2))


@jax.jit
def step(w, batch):  # traced: 4
    return w + batch.sum(0)


w = jnp.zeros(2)
for size in (4, 3):
    for batch in batches(10, size):
        w = step(w, batch)
