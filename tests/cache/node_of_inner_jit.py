"""Inside of a trace, a compiled function asks classes for their parts twice to find its trace, and twice more where there is none yet."""

import jax
import jax.numpy as jnp


@jax.tree_util.register_pytree_node_class
class Box:
    def __init__(self, x):  # traced: 4
        self.x = x

    def tree_flatten(self):  # traced: 11
        return (self.x,), None

    @classmethod
    def tree_unflatten(cls, _, parts):  # traced: 5
        box = object.__new__(cls)
        box.x = parts[0]
        return box


@jax.jit
def outer(x):  # traced: 1
    double = jax.jit(lambda box: Box(box.x * 2))  # traced: 1
    return [double(Box(x)).x, double(Box(x + 1)).x, double(Box(x + 2)).x]


outer(jnp.ones(3))
