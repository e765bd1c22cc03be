import jax
import jax.numpy as jnp


@jax.jit
def stable(roots):
    return jax.lax.max(roots, 0.0)


stable(jnp.array([1 + 2j, -1j]))
