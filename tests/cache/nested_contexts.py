"""Contexts together are a key of their own."""

import jax
import jax.numpy as jnp


@jax.jit
def f(a):  # traced: 4
    return a @ a


a = jnp.ones((2, 2))
f(a)
with jax.default_matmul_precision("highest"):
    f(a)
    with jax.numpy_rank_promotion("raise"):
        f(a)
        f(a)
with jax.numpy_rank_promotion("raise"):
    f(a)
    with jax.default_matmul_precision("highest"):
        f(a)
