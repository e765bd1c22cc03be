import jax.numpy as jnp
from jax import lax

a = jnp.ones((4, 5, 6))
b = jnp.ones((3, 6, 7))
lax.dot_general(a, b, dimension_numbers=(((2,), (1,)), ((0,), (0,))))
