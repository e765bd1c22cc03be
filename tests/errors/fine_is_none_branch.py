import jax
import jax.numpy as jnp


@jax.jit
def apply(x, mask=None, scale=None):
    if mask is not None:
        x = jnp.where(mask, x, 0)
    if scale is None:
        return x
    return x * scale


apply(jnp.ones(3))
apply(jnp.ones(3), jnp.array([True, False, True]), 2.0)
