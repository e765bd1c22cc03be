"""The rule for promoting ranks is part of the key."""

import jax
import jax.numpy as jnp


@jax.jit
def add(a, b):  # traced: 3
    return a + b


a = jnp.ones((2, 2))
for _ in range(2):
    add(a, a)
    with jax.numpy_rank_promotion("raise"):
        add(a, a)
    with jax.numpy_rank_promotion("warn"):
        add(a, a)
