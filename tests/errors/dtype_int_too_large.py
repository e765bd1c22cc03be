import jax
import jax.numpy as jnp


@jax.jit
def shift(x):
    return x + 2**40


shift(jnp.arange(3))
