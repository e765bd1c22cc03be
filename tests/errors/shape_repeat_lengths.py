import jax.numpy as jnp

counts = jnp.array([1, 2])
values = jnp.arange(3)
jnp.repeat(values, counts)
