import jax.numpy as jnp

left = jnp.ones((3, 2))
right = jnp.ones((4, 2))
both = jnp.vstack([left, right])
wide = jnp.hstack([left, right])
