import jax
import jax.numpy as jnp

jax.vmap(lambda x: (x, x), out_axes=(0, 0, 0))(jnp.ones(3))
