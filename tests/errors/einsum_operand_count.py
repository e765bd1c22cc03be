import jax.numpy as jnp

x, w = jnp.ones((2, 3)), jnp.ones((3, 4))
y = jnp.einsum("ij,jk->ik", x)
