import jax.numpy as jnp
from jax import lax

mask = jnp.array([True, False, True])
out = lax.select(mask, jnp.ones(3), jnp.zeros(1))
