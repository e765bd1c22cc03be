import jax
import jax.numpy as jnp


@jax.jit
def last(x, i):
    return x[i + 100]


print(last(jnp.arange(3), 5), jnp.arange(3)[10:])
