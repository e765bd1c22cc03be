import jax.numpy as jnp

signal = jnp.ones((3, 50))
smooth = jnp.convolve(signal, jnp.ones(5) / 5, mode="same")
