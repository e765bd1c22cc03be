import jax
import jax.numpy as jnp

jax.config.update("jax_debug_nans", True)


@jax.jit
def entropy(p):
    q = p - 1
    return -(p * jnp.log(q)).sum()


print(entropy(2 + jnp.ones(3)))
entropy(jnp.zeros(3))
