import jax
import jax.numpy as jnp
import numpy as np


@jax.jit
def scaled(x):
    factor = np.float32(x.mean())
    return factor * x


scaled(jnp.ones(4))
