import jax.numpy as jnp

a = jnp.ones((2, 3, 4))
b = jnp.ones((2, 4, 5))
x = jnp.einsum("bij,bjk->bik", a, b)
y = jnp.einsum("...ij,...jk", a, b)
z = jnp.einsum("bii->b", jnp.ones((6, 3, 3)))
w = jnp.einsum(a, [0, 1, 2], b, [0, 2, 3], [1, 3])
v = jnp.einsum("i,j->ij", jnp.ones(1), jnp.ones(4))
