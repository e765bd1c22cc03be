import jax
import jax.numpy as jnp
import numpy as np

device = jax.devices()[0]


@jax.jit
def step(w, x):
    return w - 0.1 * x, (w * x).sum()


w = jnp.ones(3)
for _ in range(5):
    x = jax.device_put(np.ones(3, np.float32), device)
    w, loss = step(w, x)
