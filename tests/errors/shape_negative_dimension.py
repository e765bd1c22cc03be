import jax.numpy as jnp


def padding(length, wanted):
    return jnp.zeros(wanted - length)


padding(3, 8)
padding(9, 8)
