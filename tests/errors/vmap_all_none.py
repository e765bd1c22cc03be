import jax
import jax.numpy as jnp

jax.vmap(jnp.sin, in_axes=None)(jnp.ones(3))
