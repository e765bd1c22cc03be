import jax.numpy as jnp

a = jnp.ones((3, 4))
print((jnp.ones(3) @ a @ jnp.ones(4)).shape, (a @ jnp.ones((5, 4, 2))).shape)
