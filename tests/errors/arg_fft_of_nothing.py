import jax.numpy as jnp

def pad_fft(x, n):
    return jnp.fft.fft(x, n=n)

pad_fft(jnp.ones(8), 16)
pad_fft(jnp.ones(8), 0)
