"""The default precision of products is part of the key."""

import jax
import jax.numpy as jnp


@jax.jit
def product(a, b):  # traced: 3
    return a @ b


a = jnp.ones((2, 2))
product(a, a)
with jax.default_matmul_precision("highest"):
    product(a, a)
    product(a, a)
with jax.default_matmul_precision("bfloat16"):
    product(a, a)
product(a, a)
with jax.default_matmul_precision("highest"):
    product(a, a)
