import jax.numpy as jnp
from jax import lax

x = jnp.arange(10)
y = lax.slice(x, (2,), (12,))
