import jax
import numpy as np


@jax.jit
def fetch(x):
    return jax.pure_callback(lambda v: np.ones(3, np.float32), (4,), x)


fetch(1.0)
