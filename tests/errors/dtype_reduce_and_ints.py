import jax
import jax.numpy as jnp


@jax.jit
def all_close(a, b):
    flags = jnp.abs(a - b) < 1e-3
    return ~flags.sum() & (a - b).sum()


all_close(jnp.ones(3), jnp.ones(3))
