import jax.numpy as jnp
from jax import lax

x = jnp.ones((3, 4))
bias = jnp.ones(4)
y = lax.add(x, bias)
