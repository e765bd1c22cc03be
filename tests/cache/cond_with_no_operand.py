"""Branches without operands, made of closures."""

import jax
import jax.numpy as jnp


def run(flag, x):  # traced: 1
    def yes():  # traced: 3
        return x + 1

    def no():  # traced: 3
        return x - 1

    return jax.lax.cond(flag, yes, no)


run(True, jnp.float32(1))
run(False, jnp.float32(1))
jax.jit(run)(True, 1.0)
jax.jit(run)(False, 1.0)
