import jax.numpy as jnp

jnp.einsum("ij;jk->ik", jnp.ones((2, 3)), jnp.ones((3, 4)))
