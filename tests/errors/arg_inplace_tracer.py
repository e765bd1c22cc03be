import jax
import jax.numpy as jnp


@jax.jit
def relu(x):
    x[x < 0] = 0
    return x


relu(jnp.arange(-2, 3))
