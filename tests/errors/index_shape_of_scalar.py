import jax
import jax.numpy as jnp


@jax.jit
def batch_size(x):
    return x.shape[0]


batch_size(jnp.ones((3, 2)))
batch_size(1.0)
