import jax
import jax.numpy as jnp


@jax.jit
def keep_large(x):
    return jnp.stack(list(filter(lambda v: v > 1, x)))


keep_large(jnp.arange(4))
