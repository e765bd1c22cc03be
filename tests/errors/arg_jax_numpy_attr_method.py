import jax.numpy as jnp

x = jnp.arange(4)
y = x.unsqueeze(0)
