"""One closure per setting, each with its own trace."""

import jax
import jax.numpy as jnp


def make(scale):
    @jax.jit
    def go(u):  # traced: 3
        return u * scale

    return go


makers = [make(s) for s in (1.0, 2.0, 2.0)]
for go in makers + makers:
    go(jnp.ones(4))
