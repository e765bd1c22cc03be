import jax.numpy as jnp
from jax import lax

counts = jnp.arange(4)
weights = jnp.ones(4)
lax.mul(counts, weights)
