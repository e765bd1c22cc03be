import jax
import numpy as np


@jax.jit
def sample(seed):
    rng = np.random.default_rng(seed)
    return rng.normal()


sample(3)
