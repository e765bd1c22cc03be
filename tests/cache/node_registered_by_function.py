"""A class registered with two functions."""

import jax


class Interval:
    def __init__(self, low, high):  # traced: 2
        self.low, self.high = low, high


jax.tree_util.register_pytree_node(
    Interval, lambda i: ((i.low, i.high), None), lambda aux, xs: Interval(*xs))


@jax.jit
def width(interval):  # traced: 2
    return interval.high - interval.low


width(Interval(0.0, 1.0))
width(Interval(0.5, 1.0))
width(Interval(0, 1.0))
