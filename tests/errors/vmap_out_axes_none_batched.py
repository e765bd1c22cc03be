import jax
import jax.numpy as jnp

jax.vmap(lambda x, y: (x, y), in_axes=(0, None), out_axes=(None, None))(jnp.ones(3), 1.0)
