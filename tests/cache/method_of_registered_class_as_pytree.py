"""A model that is a tree, with a compiled method."""

import jax
import jax.numpy as jnp


@jax.tree_util.register_pytree_node_class
class Model:
    def __init__(self, w, power):  # traced: 3
        self.w, self.power = w, power

    def tree_flatten(self):
        return (self.w,), self.power

    @classmethod
    def tree_unflatten(cls, power, leaves):  # traced: 3
        return cls(*leaves, power)

    @jax.jit
    def __call__(self, x):  # traced: 3
        return self.w * x ** self.power


for power in (1, 2, 1):
    for w in (1.0, 2.0):
        Model(jnp.float32(w), power)(jnp.ones(2))
Model(3.0, 1)(jnp.ones(2))
