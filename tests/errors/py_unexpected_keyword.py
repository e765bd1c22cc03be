import jax
import jax.numpy as jnp


def block(x, *, rate):
    return x * (1 - rate)


jax.jit(block)(jnp.ones(3), dropout=0.1)
