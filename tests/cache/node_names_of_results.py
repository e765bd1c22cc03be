"""Behind a trace results are asked for the names of their parts: what they hold then is nothing that the program comes to."""

import jax
import jax.numpy as jnp


@jax.tree_util.register_pytree_node_class
class Pair:
    def __init__(self, a, b):  # traced: 6
        self.a = a
        self.b = b

    def tree_flatten(self):  # traced: 9
        return (self.a, self.b), None

    @classmethod
    def tree_unflatten(cls, _, parts):  # traced: 5
        return cls(*parts)


def run(x):  # traced: 1
    pair = Pair(x, x * 2)
    jax.jit(lambda p: jax.grad(lambda q: (q.a * p.b).sum())(p))(pair)  # traced: 1
    return x.sum()


jax.vmap(run)(jnp.stack([jnp.ones(3), jnp.ones(3)]))
