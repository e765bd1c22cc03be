import jax.numpy as jnp

x = jnp.ones((2, 3, 4))
jnp.einsum("ij,ij->i", x, x)
