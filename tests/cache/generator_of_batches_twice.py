"""Batches from a generator, the last one shorter, twice over."""

import jax
import jax.numpy as jnp
import numpy as np


def batches(data, size):
    for start in range(0, len(data), size):
        yield data[start:start + size]


@jax.jit
def loss(x):  # traced: 2
    return jnp.mean(x ** 2)


data = np.ones((10, 2), np.float32)
for _ in range(2):
    for batch in batches(data, 4):
        loss(batch)
for batch in np.split(data, 5):
    loss(batch)
