import jax
import jax.numpy as jnp

jax.vmap(lambda x, c: x * c, in_axes=(0, None), out_axes=None)(jnp.arange(3), 2)
