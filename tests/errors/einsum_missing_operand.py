import jax.numpy as jnp

a = jnp.ones((3, 4))
trace = jnp.einsum("ij,jk->ik", a)
