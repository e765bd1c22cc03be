import jax
import jax.numpy as jnp
import numpy as np

device = jax.devices()[0]


@jax.jit
def step(w, x):
    return w - 0.1 * x, (w * x).sum()


w, x = jnp.ones(3), jnp.ones(3)
put = jax.device_put(w, device)
step(w, x)
step(put, x)
step(w, put)
step(put, put)
step(w, x)
