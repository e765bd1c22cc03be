import jax
import jax.numpy as jnp


@jax.jit
def inside(point, low, high):
    return low < point and point < high


inside(1.0, 0.0, 2.0)
