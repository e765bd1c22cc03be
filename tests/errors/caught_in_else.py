import jax.numpy as jnp

try:
    x = jnp.ones(3)
except TypeError:
    x = jnp.zeros(3)
else:
    y = x.reshape(2, 2)
