import jax
import jax.numpy as jnp


def loss(w, batch):
    return batch @ w


def step(w, batch):
    return w - 0.1 * jax.grad(loss)(w, batch), None


jax.lax.scan(step, jnp.ones(3), jnp.ones((10, 2, 3)))
