"""An optimizer as a static argument: a named tuple of functions."""

from functools import partial

import jax
import jax.numpy as jnp
import optax


@partial(jax.jit, static_argnums=0)
def step(optimizer, w, state):  # traced: 2
    updates, state = optimizer.update(w, state)
    return optax.apply_updates(w, updates), state


w = jnp.ones(2)
kept = optax.sgd(0.1)
for optimizer in (kept, kept, optax.sgd(0.1), kept):
    step(optimizer, w, optimizer.init(w))
