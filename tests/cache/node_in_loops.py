"""Loops ask classes for the parts of what they carry twice for each function, and twice for what their bodies give."""

import jax
import jax.numpy as jnp


@jax.tree_util.register_pytree_node_class
class Box:
    def __init__(self, x):  # traced: 6
        self.x = x

    def tree_flatten(self):  # traced: 17
        return (self.x,), None

    @classmethod
    def tree_unflatten(cls, _, parts):  # traced: 9
        box = object.__new__(cls)
        box.x = parts[0]
        return box


@jax.jit
def outer(x):  # traced: 1
    a, _ = jax.lax.scan(lambda box, y: (Box(box.x + y), None), Box(x), x)  # traced: 1
    b = jax.lax.while_loop(lambda box: box.x.sum() < 9, lambda box: Box(box.x * 2), Box(x))
    c = jax.lax.map(lambda box: Box(-box.x), Box(x))  # traced: 1
    return jax.tree.map(jnp.add, a, jax.tree.map(jnp.add, b, c)).x


outer(jnp.ones(3))
