"""The auxiliary output of a derivative is made of its parts outside of the trace."""

import jax
import jax.numpy as jnp


class Stats:
    def __init__(self, mean):  # traced: 3
        self.mean = mean


def together(_, parts):  # traced: 1
    return Stats(*parts)


jax.tree_util.register_pytree_node(Stats, lambda stats: ((stats.mean,), None), together)


@jax.jit
def step(w):  # traced: 1
    def loss(w):  # traced: 1
        return w.sum(), Stats(w.mean())

    (value, stats), gradient = jax.value_and_grad(loss, has_aux=True)(w)
    return gradient * stats.mean


step(jnp.ones(3))
jax.grad(lambda w: (w.sum(), Stats(w)), has_aux=True)(jnp.ones(3))
