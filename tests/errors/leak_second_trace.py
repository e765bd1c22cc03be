import jax
import jax.numpy as jnp

scale = 1.0


@jax.jit
def normalize(x):
    global scale
    scale = scale * x.max()
    return x / scale


normalize(jnp.ones(3))
normalize(jnp.ones(4))
