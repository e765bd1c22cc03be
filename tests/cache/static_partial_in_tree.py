"""A partial of jax.tree_util is a tree: its function is static, its arguments are not."""

import jax
import jax.numpy as jnp


def scale(k, x):  # traced: 1
    return k * x


@jax.jit
def apply(f, x):  # traced: 1
    return f(x)


for k in (1.0, 2.0, 3.0):
    apply(jax.tree_util.Partial(scale, k), jnp.ones(2))
