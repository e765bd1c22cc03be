import jax
import jax.numpy as jnp
import numpy as np


@jax.jit
def step(w, x):
    return w - 0.1 * x, (w * x).sum()


w = jnp.ones(3)
for _ in range(3):
    w, loss = step(w, jax.device_put(np.ones(3, np.float32)))
