import jax
import jax.numpy as jnp

jax.config.update("jax_debug_nans", True)


def entropy(p):
    return -jnp.sum(p * jnp.log(p))


entropy(jnp.array([0.5, 0.5]))
entropy(jnp.array([1.0, 0.0]))
