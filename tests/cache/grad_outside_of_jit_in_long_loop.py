"""Outside of a jit a derivative traces its function in each round; so it does in the rounds of a long loop that are not all run."""

import jax
import jax.numpy as jnp


def loss(w):  # traced: 2000
    return jnp.sum(w**2)


def at_times(w):  # traced: 20
    return jnp.sum(w)


def late(w):  # traced: 10
    return jnp.sum(w)


w, history = jnp.ones(4), []
for i in range(2000):
    w = w - 0.01 * jax.grad(loss)(w)
    history.append(w)
    if i % 100 == 0:
        jax.grad(at_times)(w)
    if len(history) > 1990:
        jax.grad(late)(w)
