import jax
import jax.numpy as jnp


def tree_sum(xs):
    if len(xs) == 1:
        return xs[0]
    half = len(xs) // 2
    return tree_sum(xs[:half]) + tree_sum(xs[half:])


jax.jit(tree_sum)(jnp.arange(8.0))
