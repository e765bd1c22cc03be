import jax.numpy as jnp
from jax import lax

x = jnp.arange(12)
y = lax.reshape(x, (3, -1))
