import jax.numpy as jnp
from jax import lax

row = jnp.arange(3.0)
lax.broadcast_in_dim(row, (4, 5), (1,))
