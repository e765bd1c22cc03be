import jax.numpy as jnp


def contract(tensor, matrix):
    return jnp.tensordot(tensor, matrix, axes=([1, 2], [0, 1]))


contract(jnp.ones((2, 3, 4)), jnp.ones((4, 3)))
