import jax.numpy as jnp

def roundtrip(z):
    return jnp.fft.irfft(jnp.fft.rfft(z))

roundtrip(jnp.ones(8) * 1j)
