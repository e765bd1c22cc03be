"""A jit of a gradient of an object with an `__eq__` of its own, made anew."""

import jax
import jax.numpy as jnp


class Loss:
    def __init__(self, power):
        self.power = power

    def __eq__(self, other):
        return isinstance(other, Loss) and self.power == other.power

    def __hash__(self):
        return hash(self.power)

    def __call__(self, x):  # traced: 3
        return jnp.sum(x ** self.power)


for _ in range(3):
    jax.jit(jax.grad(Loss(2)))(jnp.ones(2))
