import jax
import jax.numpy as jnp


@jax.jit
def vocabulary(tokens):
    return jnp.unique(tokens)


vocabulary(jnp.array([3, 1, 3]))
