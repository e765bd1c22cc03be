import jax
import jax.numpy as jnp
import numpy as np

TABLE = np.linspace(0, 1, 8)


@jax.jit
def lookup(i):
    return jnp.asarray(TABLE)[i] + np.float32(0.5)


lookup(3)
