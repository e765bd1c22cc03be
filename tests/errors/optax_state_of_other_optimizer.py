import jax
import jax.numpy as jnp
import optax

params = {"w": jnp.ones(3)}
state = optax.sgd(0.1).init(params)
grads = {"w": jnp.ones(3)}
updates, state = optax.adam(0.1).update(grads, state, params)
