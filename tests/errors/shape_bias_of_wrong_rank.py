import jax.numpy as jnp

weights = {"kernel": jnp.ones((4, 3)), "bias": jnp.zeros(4)}


def dense(x):
    return jnp.add(x @ weights["kernel"], weights["bias"])


dense(jnp.ones((2, 4)))
