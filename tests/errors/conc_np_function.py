import jax
import jax.numpy as jnp
import numpy as np


@jax.jit
def wave(t):
    return np.sin(t) * jnp.exp(-t)


wave(1.0)
