"""The state of optax's Adam has one structure from the first step on."""

import jax
import jax.numpy as jnp
import optax

optimizer = optax.adam(0.1)


@jax.jit
def step(params, state):  # traced: 1
    grads = jax.tree.map(jnp.ones_like, params)
    updates, state = optimizer.update(grads, state)
    return optax.apply_updates(params, updates), state


params = {"w": jnp.ones(3)}
state = optimizer.init(params)
for _ in range(4):
    params, state = step(params, state)
