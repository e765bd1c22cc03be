import jax.numpy as jnp

u, v = jnp.arange(3.0), jnp.arange(4.0)
m = jnp.outer(u, v)
print(m @ u)
