import jax
import jax.numpy as jnp


@jax.jit
def crop(x, small):
    return jax.lax.cond(small, lambda v: v[:2], lambda v: v, x)


crop(jnp.ones(4), True)
