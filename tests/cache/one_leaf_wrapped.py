"""An array, and the same array in a tuple, a list and a dict."""

import jax
import jax.numpy as jnp


@jax.jit
def first(tree):  # traced: 5
    return jax.tree.leaves(tree)[0] + 1


x = jnp.ones(2)
for tree in (x, (x,), [x], {"x": x}, {"y": x}, (x,)):
    first(tree)
