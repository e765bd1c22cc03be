import jax.numpy as jnp
from jax import lax

table = [1.0, 2.0, 3.0]
lax.scan(lambda c, i: (c + table[i], None), 0.0, jnp.arange(3))
