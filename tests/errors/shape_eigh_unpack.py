import jax.numpy as jnp

values, vectors, rank = jnp.linalg.eigh(jnp.eye(3))
