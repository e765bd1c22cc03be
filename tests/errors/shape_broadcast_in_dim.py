import jax.numpy as jnp
from jax import lax

bias = jnp.arange(4.0)
out = lax.broadcast_in_dim(bias, (4, 3), (1,))
