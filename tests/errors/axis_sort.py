import jax.numpy as jnp
from jax import lax

x = jnp.ones((3, 4))
lax.sort(x, dimension=2)
