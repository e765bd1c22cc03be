import jax
import jax.numpy as jnp

jax.vmap(lambda x: (x, x * 2), out_axes=(0, 0, 0))(jnp.arange(3))
