import jax
import jax.numpy as jnp


def mean(x):
    return x.sum() / len(x)


mean(jnp.arange(4.0).max())
