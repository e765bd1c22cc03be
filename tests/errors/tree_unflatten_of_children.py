import jax
import jax.numpy as jnp

@jax.tree_util.register_pytree_node_class
class Pair:
    def __init__(self, a, b):
        self.a, self.b = a, b
    def tree_flatten(self):
        return (self.a, self.b), None
    @classmethod
    def tree_unflatten(cls, aux, children):
        return cls(children)

jax.tree.map(lambda v: v * 2, Pair(jnp.ones(2), jnp.ones(3)))
