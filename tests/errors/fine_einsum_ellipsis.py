import jax.numpy as jnp

x = jnp.ones((2, 3, 4))
print(jnp.einsum("...ij->...ji", x).shape, jnp.einsum("ij,kj", x[0], x[1]).shape, jnp.einsum("bij->", x).shape)
