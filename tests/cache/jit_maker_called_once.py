"""A maker called once leaves one function, however often that is called."""

import jax
import jax.numpy as jnp


def make(scale):
    @jax.jit
    def go(u):  # traced: 1
        return u * scale

    return go


double = make(2.0)
for _ in range(3):
    double(jnp.ones(4))
