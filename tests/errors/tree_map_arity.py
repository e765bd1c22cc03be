import jax
import jax.numpy as jnp

params = {"w": jnp.ones(2)}
jax.tree.map(lambda p, m: p * m, params)
