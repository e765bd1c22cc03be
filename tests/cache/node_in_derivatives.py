"""How often derivatives, maps and checkpoints ask a class for its parts, and make it of parts."""

import jax
import jax.numpy as jnp


@jax.tree_util.register_pytree_with_keys_class
class Box:
    def __init__(self, x):  # traced: 4
        self.x = x

    def tree_flatten_with_keys(self):  # traced: 3
        return ((jax.tree_util.GetAttrKey("x"), self.x),), None

    def tree_flatten(self):  # traced: 9
        return (self.x,), None

    @classmethod
    def tree_unflatten(cls, _, parts):  # traced: 9
        box = object.__new__(cls)
        box.x = parts[0]
        return box


@jax.jit
def outer(x):  # traced: 1
    g = jax.grad(lambda box: box.x.sum())(Box(x))  # traced: 1
    y = jax.vmap(lambda box: Box(box.x * 2))(g)  # traced: 1
    z, pull = jax.vjp(lambda box: Box(box.x**2), y)  # traced: 1
    return jax.checkpoint(lambda box: Box(box.x))(pull(z)[0]).x  # traced: 1
outer(jnp.ones(3))
