import jax
import jax.numpy as jnp

jax.vmap(jnp.ones(3))(jnp.ones(3))
