import jax.numpy as jnp

block = jnp.eye(2)
system = jnp.kron(jnp.eye(3), block)
system = system + jnp.ones((5, 5))
