import jax
import jax.numpy as jnp

jax.config.update("jax_numpy_rank_promotion", "raise")
image = jnp.ones((4, 4, 3))
bright = image * jnp.ones((4, 4, 1)) + 1
tinted = image * jnp.ones(3)
