"""A key that is split in a loop has one type."""

import jax


@jax.jit
def step(key):  # traced: 1
    key, sub = jax.random.split(key)
    return key, jax.random.uniform(sub)


key = jax.random.key(0)
for _ in range(3):
    key, u = step(key)
