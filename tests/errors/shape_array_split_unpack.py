import jax.numpy as jnp

first, second = jnp.array_split(jnp.arange(10), 3)
