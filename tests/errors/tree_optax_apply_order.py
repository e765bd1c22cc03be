import jax.numpy as jnp
import optax

optimizer = optax.sgd(0.1)
params = {"w": jnp.ones(3)}
state = optimizer.init(params)
updates, state = optimizer.update(state, params)
