"""Real and complex arrays."""

import jax
import jax.numpy as jnp
import numpy as np


@jax.jit
def power(x):  # traced: 2
    return jnp.abs(x) ** 2


power(jnp.ones(2))
power(jnp.ones(2) * 1j)
power(jnp.fft.fft(jnp.ones(2)))
power(np.ones(2, complex))
