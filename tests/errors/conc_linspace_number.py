import jax
import jax.numpy as jnp


@jax.jit
def grid(low, high, n):
    return jnp.linspace(low, high, n)


grid(0.0, 1.0, 11)
