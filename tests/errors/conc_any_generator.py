import jax
import jax.numpy as jnp


@jax.jit
def has_nan(params):
    return any(jnp.isnan(p).any() for p in params)


has_nan([jnp.ones(2), jnp.zeros(3)])
