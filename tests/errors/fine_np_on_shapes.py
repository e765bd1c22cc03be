import jax
import jax.numpy as jnp
import numpy as np


@jax.jit
def pool(x):
    size = int(np.prod(x.shape[1:]))
    table = np.linspace(0, 1, size)
    return x.reshape(x.shape[0], size) * table + np.sqrt(2)


pool(jnp.ones((2, 3, 4)))
