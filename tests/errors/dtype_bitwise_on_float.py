import jax
import jax.numpy as jnp


@jax.jit
def both(a, b):
    return a & b


both(jnp.array([True, False]), jnp.array([1.0, 0.0]))
