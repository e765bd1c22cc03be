import jax.numpy as jnp
from jax import lax

lax.iota(jnp.float32, -2)
