import jax
import jax.numpy as jnp


@jax.jit
def padded(lengths):
    longest = int(lengths.max())
    return jnp.zeros((lengths.shape[0], longest))


padded(jnp.array([3, 4, 2]))
