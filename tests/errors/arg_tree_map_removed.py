import jax
import jax.numpy as jnp

params = {"w": jnp.ones(3)}
zeros = jax.tree_map(jnp.zeros_like, params)
