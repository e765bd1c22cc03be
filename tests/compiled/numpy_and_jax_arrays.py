import jax
import jax.numpy as jnp
import numpy as np


@jax.jit
def double(x):
    return x * 2


double(np.ones(3, np.float32))
double(jnp.ones(3))
double(jax.device_put(np.ones(3, np.float32)))
