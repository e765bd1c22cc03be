import jax
import jax.numpy as jnp


def loss(params, x):
    w, b = params
    return jnp.sum(x @ w + b)


params = {"w": jnp.ones((3, 1)), "b": jnp.zeros(1)}
grads = jax.grad(loss)(params, jnp.ones((5, 3)))
