import jax.numpy as jnp
from jax import lax

mask = jnp.array([True, False, True])
x = jnp.ones((3, 2))
y = lax.select(mask[:, None], x, -x)
