"""Inside of a trace, structures tell calls apart, too."""

import jax
import jax.numpy as jnp


@jax.jit
def inner(tree):  # traced: 3
    return sum(jax.tree.leaves(tree))


@jax.jit
def outer(x):  # traced: 1
    return inner([x, x]) + inner((x, x)) + inner({"a": x, "b": x}) + inner([x, x])


outer(jnp.ones(2))
inner([jnp.ones(2)] * 2)
