import jax.numpy as jnp
from jax import lax

x = jnp.arange(20.0).reshape(4, 5)
window = lax.dynamic_slice(x, (1, 1), (2, 6))
