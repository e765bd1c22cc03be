import jax
import jax.numpy as jnp

jax.grad(lambda x: jnp.fft.fft(x)[1])(jnp.arange(4.0))
