"""The branches of a conditional are traced, both, once."""

import jax
import jax.numpy as jnp


def up(x):  # traced: 1
    return x + 1


def down(x):  # traced: 1
    return x - 1


for flag in (True, False, True):
    jax.lax.cond(flag, up, down, jnp.float32(1))
