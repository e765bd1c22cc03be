import jax.numpy as jnp

data = jnp.arange(10)
half = len(data) / 2
first, second = data[:5], data[half]
