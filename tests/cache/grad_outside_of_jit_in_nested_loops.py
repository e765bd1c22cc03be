"""Loops in loops, with nothing that they count: each round traces."""

import jax
import jax.numpy as jnp


def loss(w):  # traced: 6001
    return jnp.sum(w**2)


def per_row(w):  # traced: 300
    return jnp.sum(w)


@jax.jit
def step(w):  # traced: 1
    return w - jax.grad(loss)(w)


w, n = jnp.ones(4), 0
for _ in range(60):
    for _ in range(100):
        jax.grad(loss)(w)
    w = step(w)
while n < 300:
    jax.vmap(per_row)(jnp.ones((3, 4)))
    n += 1
