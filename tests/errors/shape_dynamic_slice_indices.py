import jax
import jax.numpy as jnp
from jax import lax


@jax.jit
def crop(image, top, left):
    return lax.dynamic_slice(image, (top, left), (4, 4))


crop(jnp.zeros((16, 16)), 2, 3)
crop(jnp.zeros((16, 16, 3)), 2, 3)
