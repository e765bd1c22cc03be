import jax.numpy as jnp

losses = [0.5, 0.25]
print(jnp.mean(losses))
