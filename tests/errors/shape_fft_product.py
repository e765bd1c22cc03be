import jax.numpy as jnp

signal = jnp.ones(64)
window = jnp.hanning(64)
spectrum = jnp.fft.rfft(signal)
filtered = spectrum * window
