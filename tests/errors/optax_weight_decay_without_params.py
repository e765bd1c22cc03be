import jax
import jax.numpy as jnp
import optax

params = jnp.ones(3)
optimizer = optax.adamw(1e-3)
state = optimizer.init(params)
updates, state = optimizer.update(jnp.ones(3), state)
