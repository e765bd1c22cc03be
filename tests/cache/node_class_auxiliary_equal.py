"""Auxiliary data that is equal is one structure."""

import jax


@jax.tree_util.register_pytree_node_class
class Box:
    def __init__(self, value, tag):  # traced: 3
        self.value, self.tag = value, tag

    def tree_flatten(self):
        return (self.value,), self.tag

    @classmethod
    def tree_unflatten(cls, tag, children):  # traced: 3
        return cls(children[0], tag)


@jax.jit
def double(box):  # traced: 3
    return box.value * 2


for tag in (("a", 1), ("b", 1), ("a", 1), None, None):
    double(Box(1.0, tag))
