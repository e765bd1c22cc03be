import jax.numpy as jnp

history = jnp.zeros((0, 3))
for step in range(3):
    history = jnp.append(history, jnp.ones(3), axis=0)
