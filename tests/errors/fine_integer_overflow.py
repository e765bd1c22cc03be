import jax.numpy as jnp

big = jnp.int32(2**31 - 1)
print(big + 1, jnp.uint8(250) + jnp.uint8(10))
