import jax
import jax.numpy as jnp


@jax.jit
def beam(scores, k):
    return jax.lax.top_k(scores, k)


beam(jnp.arange(5.0), 2)
