"""Nones and empty containers deep in a tree."""

import jax
import jax.numpy as jnp


@jax.jit
def count(tree):  # traced: 5
    return len(jax.tree.leaves(tree))


x = jnp.ones(2)
for tree in ({"a": x, "b": None}, {"a": x, "b": {}}, {"a": x, "b": ()}, {"a": x, "b": []}, {"a": x}, {"a": x, "b": None}):
    count(tree)
