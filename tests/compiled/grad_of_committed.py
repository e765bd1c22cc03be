import jax
import jax.numpy as jnp
import numpy as np

device = jax.devices()[0]


@jax.jit
def step(w, x):
    grads = jax.grad(lambda w: ((w * x) ** 2).sum())(w)
    return w - 0.1 * grads


w = jnp.ones(3)
x = jax.device_put(jnp.ones(3), device)
for _ in range(6):
    w = step(w, x)
