import jax.numpy as jnp
from jax import lax

x = jnp.ones((3, 3))
y = lax.pad(x, 0.0, ((1, 1, 0),))
