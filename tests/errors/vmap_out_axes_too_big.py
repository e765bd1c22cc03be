import jax
import jax.numpy as jnp

jax.vmap(lambda x: x.sum(), out_axes=1)(jnp.ones((3, 4)))
