import jax.numpy as jnp

x, y = jnp.meshgrid(jnp.arange(3), jnp.arange(4))
z = jnp.zeros((3, 4))
volume = jnp.stack([x, y, z])
