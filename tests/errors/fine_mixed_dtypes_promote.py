import jax.numpy as jnp

a = jnp.arange(3) + 0.5
b = jnp.ones(2, jnp.bfloat16) * jnp.ones(2, jnp.float32)
c = jnp.array([True, False]) + 1
d = jnp.uint8(200) + jnp.int8(3)
