import jax
import jax.numpy as jnp


def step(w, batch):
    x, y = batch
    return w - 0.1 * (x @ w - y).mean()


data = jnp.ones((10, 3))
jax.jit(step)(jnp.ones(3), data)
