import jax
import jax.numpy as jnp


@jax.jit
def bump(x):
    x[0] += 1
    return x


bump(jnp.zeros(3))
