from functools import partial

import jax
import jax.numpy as jnp

callbacks = []


@jax.jit
def make(scale):
    callbacks.append(partial(jnp.multiply, scale))
    return scale


make(3.0)
callbacks[0](jnp.ones(2))
