import jax.numpy as jnp
from jax import lax

lax.nextafter(jnp.arange(3), jnp.arange(3))
