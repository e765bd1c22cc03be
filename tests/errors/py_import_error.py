import jax.numpy as jnp
from jax.numpy import not_there

print(jnp.ones(2))
