import jax
import jax.numpy as jnp

d = jax.grad(lambda z: z**2, holomorphic=True)(1.0 + 2.0j)
real = jax.grad(lambda x: jnp.abs(jnp.fft.fft(x)).sum())(jnp.arange(4.0))
