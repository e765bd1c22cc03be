import jax.numpy as jnp

both = jnp.cat([jnp.ones(3), jnp.ones(3)], axis=0)
