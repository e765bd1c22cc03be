import jax.numpy as jnp

a = jnp.kron(jnp.eye(3), 2 * jnp.eye(2))
b = jnp.ones(5)
x = jnp.linalg.solve(a, b)
