import jax.numpy as jnp
from jax import lax

x = jnp.linspace(-1, 1, 8)
low = jnp.full(4, -0.5)
lax.clamp(low, x, 0.5)
