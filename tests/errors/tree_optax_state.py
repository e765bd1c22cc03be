import jax.numpy as jnp
import optax

optimizer = optax.adam(1e-3)
params = {"w": jnp.ones(3)}
state = optimizer.init(params)
grads = {"w": jnp.ones(3), "b": jnp.ones(())}
updates, state = optimizer.update(grads, state)
