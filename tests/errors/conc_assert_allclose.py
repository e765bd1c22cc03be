import jax
import jax.numpy as jnp


@jax.jit
def check(p):
    if not jnp.allclose(p.sum(), 1.0):
        raise ValueError("not a distribution")
    return p


check(jnp.ones(4) / 4)
