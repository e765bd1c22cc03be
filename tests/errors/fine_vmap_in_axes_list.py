import jax
import jax.numpy as jnp

jax.vmap(lambda x, y: x + y, in_axes=[0, None])(jnp.arange(3), 1)
