import jax.numpy as jnp

a = jnp.eye(2)
b = jnp.ones((2, 3))
c = jnp.zeros((3, 2))
system = jnp.block([[a, b], [c, jnp.eye(2)]])
