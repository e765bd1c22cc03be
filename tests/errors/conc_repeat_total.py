import jax
import jax.numpy as jnp


@jax.jit
def expand(x, counts):
    return jnp.repeat(x, counts)


expand(jnp.arange(3), jnp.array([1, 2, 3]))
