import jax
import jax.numpy as jnp
import optax

params = jnp.ones(3)
optimizer = optax.sgd(0.1)
state = optimizer.init(params)
updates = optimizer.update(jnp.ones(3), state)
params = optax.apply_updates(params, updates)
