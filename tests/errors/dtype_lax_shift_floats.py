import jax.numpy as jnp
from jax import lax

lax.shift_left(jnp.ones(3), jnp.ones(3))
