import jax.numpy as jnp

jnp.fft.fft(jnp.ones(3), axis=2)
