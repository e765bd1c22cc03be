"""A train step made by a function, twice for the same model."""

import jax
import jax.numpy as jnp


def model(w, x):  # traced: 2
    return x @ w


def make_step(rate):
    @jax.jit
    def step(w, x):  # traced: 2
        grads = jax.grad(lambda w: model(w, x).sum())(w)
        return w - rate * grads

    return step


w, x = jnp.ones(2), jnp.ones((3, 2))
for step in (make_step(0.1), make_step(0.1)):
    for _ in range(3):
        w = step(w, x)
