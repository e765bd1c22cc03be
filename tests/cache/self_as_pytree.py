"""A registered class as self is traced by its leaves."""

import jax
import jax.numpy as jnp


@jax.tree_util.register_pytree_node_class
class Model:
    def __init__(self, w):  # traced: 2
        self.w = w

    def tree_flatten(self):
        return (self.w,), None

    @classmethod
    def tree_unflatten(cls, aux, children):  # traced: 2
        return cls(*children)

    @jax.jit
    def apply(self, x):  # traced: 2
        return self.w * x


for w in (1.0, 2.0, 3.0):
    Model(w).apply(jnp.ones(3))
Model(jnp.ones(3)).apply(jnp.ones(3))
