import jax.numpy as jnp

force = jnp.ones((10, 4))
arm = jnp.ones((10, 4))
torque = jnp.cross(arm, force)
