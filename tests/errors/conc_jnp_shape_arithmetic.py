import jax
import jax.numpy as jnp


@jax.jit
def flatten(x):
    size = jnp.prod(jnp.array(x.shape[1:]))
    return x.reshape(x.shape[0], size)


flatten(jnp.ones((2, 3, 4)))
