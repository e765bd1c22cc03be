import jax
import jax.numpy as jnp
from jax import lax

@jax.jit
def f(x):
    return lax.fft(x, "FFT", (4, 4))

f(jnp.ones((3, 8), jnp.complex64))
