import jax.numpy as jnp
from jax import lax

lax.population_count(jnp.ones(3))
