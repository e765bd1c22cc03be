"""A tree that was mapped over has the structure of before."""

import jax
import jax.numpy as jnp


@jax.jit
def norm(tree):  # traced: 2
    return sum(jnp.sum(leaf ** 2) for leaf in jax.tree.leaves(tree))


tree = {"a": (jnp.ones(2), None), "b": [jnp.ones(3)]}
norm(tree)
norm(jax.tree.map(lambda x: x * 2, tree))
norm(jax.tree.map(jnp.zeros_like, tree))
norm(jax.tree.map(lambda x: x.astype(jnp.float16), tree))
