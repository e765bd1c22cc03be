import jax
import jax.numpy as jnp

jax.vmap(lambda x: x, axis_size=3)(jnp.ones(4))
