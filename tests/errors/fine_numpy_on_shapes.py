import jax
import jax.numpy as jnp
import numpy as np


@jax.jit
def flatten(x):
    size = int(np.prod(x.shape[1:]))
    return x.reshape(x.shape[0], size)


flatten(jnp.ones((2, 3, 4)))
