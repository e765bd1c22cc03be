import jax
import jax.numpy as jnp


@jax.jit
def like(x):
    return jnp.zeros(x.shape, dtype=x)


like(jnp.ones(3))
