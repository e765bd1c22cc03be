import jax.numpy as jnp

grads = [jnp.ones(2), jnp.ones(2)]
params = [jnp.ones(2), jnp.ones(2)]
params = params - 0.1 * grads
