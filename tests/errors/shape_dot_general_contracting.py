import jax.numpy as jnp
from jax import lax

lax.dot_general(jnp.ones((2, 3)), jnp.ones((3, 2)), (((1,), (0, 1)), ((), ())))
