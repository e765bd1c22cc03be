import jax
import jax.numpy as jnp

jax.vmap(lambda x, y: x + y, in_axes="batch")(jnp.arange(3), jnp.arange(3))
