import jax.numpy as jnp
from jax import lax

lhs = jnp.ones((2, 3, 4))
rhs = jnp.ones((5, 4, 6))
out = lax.dot_general(lhs, rhs, (((2,), (1,)), ((0,), (0,))))
