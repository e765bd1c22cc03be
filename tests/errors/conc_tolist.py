import jax
import jax.numpy as jnp


@jax.jit
def unique_count(x):
    return len(set(x.tolist()))


unique_count(jnp.array([1, 2, 2]))
