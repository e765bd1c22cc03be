"""Gradients of a method, plain and under a kept jit."""

import jax


class Model:
    def __init__(self, w):
        self.w = w

    def loss(self, x):  # traced: 4
        return (self.w * x) ** 2


model = Model(3.0)
slope = jax.jit(jax.grad(model.loss))
for _ in range(3):
    slope(1.0)
    jax.grad(model.loss)(1.0)
