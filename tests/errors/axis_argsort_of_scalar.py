import jax
import jax.numpy as jnp


def median(x):
    return jnp.sort(x.mean(), axis=0)[1]


median(jnp.arange(5.0))
