import jax
import jax.numpy as jnp


@jax.jit
def flatten(x):
    if x.ndim > 2 and x.shape[0] > 1:
        return x.reshape(x.shape[0], -1)
    if x.dtype == jnp.float32 and not x.size:
        return x[None]
    return x


flatten(jnp.ones((2, 3, 4)))
flatten(jnp.ones((2, 3)))
