import jax.numpy as jnp
from jax import lax

x = jnp.zeros((3, 4))
lax.reshape(x, (2, 5))
