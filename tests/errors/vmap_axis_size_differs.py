import jax
import jax.numpy as jnp

jax.vmap(lambda x: x, axis_size=4)(jnp.ones(3))
