"""Its own result has the type of its argument."""

import jax
import numpy as np


@jax.jit
def step(params):  # traced: 1
    return {k: v * 0.5 for k, v in params.items()}


params = {"w": np.ones((2, 2)), "b": np.zeros(2)}
for _ in range(3):
    params = step(params)
