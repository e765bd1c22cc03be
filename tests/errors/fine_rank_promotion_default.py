import jax
import jax.numpy as jnp

x = jnp.ones((3, 4)) + jnp.ones(4)
with jax.numpy_rank_promotion("warn"):
    y = jnp.ones((3, 4)) * jnp.ones(4)
