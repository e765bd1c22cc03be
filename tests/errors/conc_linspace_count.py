import jax
import jax.numpy as jnp


@jax.jit
def grid(lo, hi, n):
    return jnp.linspace(lo, hi, n)


grid(0.0, 1.0, 5)
