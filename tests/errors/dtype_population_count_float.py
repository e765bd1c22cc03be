import jax.numpy as jnp
from jax import lax

bits = lax.population_count(jnp.arange(4.0))
