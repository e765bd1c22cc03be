import jax.numpy as jnp

u = jnp.ones((2, 3))
v = jnp.ones(5)
jnp.vdot(u, v)
