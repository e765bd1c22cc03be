import jax.numpy as jnp
from jax.experimental import checkify


def scale(x, factor):
    checkify.check(jnp.all(x > 0), "bad factor {factor}", factor=factor)
    return x * factor


checkify.checkify(scale)(jnp.ones(2), 2)
