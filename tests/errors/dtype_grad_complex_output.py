import jax
import jax.numpy as jnp


def energy(x):
    return jnp.sum(jnp.fft.fft(x))


jax.grad(energy)(jnp.ones(4))
