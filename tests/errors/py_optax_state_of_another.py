import jax
import jax.numpy as jnp
import optax

params = {"w": jnp.ones(2)}
state = optax.sgd(0.1).init(params)

@jax.jit
def step(params, state):
    updates, state = optax.adam(0.1).update(params, state, params)
    return optax.apply_updates(params, updates), state

step(params, state)
