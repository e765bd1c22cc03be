import jax
import jax.numpy as jnp


@jax.jit
def positives(x):
    indices = jnp.nonzero(x > 0)[0]
    return x[indices]


positives(jnp.array([1.0, -1.0, 2.0]))
