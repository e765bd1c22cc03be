"""A train step that is made again in each epoch."""

import jax
import jax.numpy as jnp
import optax


def make_step(optimizer):
    @jax.jit
    def step(w, state):  # traced: 2
        grads = jax.grad(lambda w: jnp.sum(w ** 2))(w)
        updates, state = optimizer.update(grads, state, w)
        return optax.apply_updates(w, updates), state

    return step


optimizer = optax.adamw(0.1)
w = jnp.ones(2)
state = optimizer.init(w)
for epoch in range(2):
    step = make_step(optimizer)
    for _ in range(3):
        w, state = step(w, state)
