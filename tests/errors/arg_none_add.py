import jax
import jax.numpy as jnp


def dense(x, w, b=None):
    return x @ w + b


dense(jnp.ones((1, 3)), jnp.ones((3, 2)))
