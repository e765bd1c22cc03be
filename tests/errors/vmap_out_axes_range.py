import jax
import jax.numpy as jnp

jax.vmap(lambda row: row.sum(), out_axes=1)(jnp.ones((2, 3)))
