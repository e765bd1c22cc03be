import jax.numpy as jnp
from jax import lax

mask = jnp.array([1, 0, 1])
out = lax.select(mask, jnp.ones(3), jnp.zeros(3))
