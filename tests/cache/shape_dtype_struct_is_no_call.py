"""Lowering with a described argument traces for the later call."""

import jax
import jax.numpy as jnp


@jax.jit
def f(x):  # traced: 2
    return x + 1


f.lower(jax.ShapeDtypeStruct((3,), jnp.float32))
f(jnp.ones(3))
f.lower(jax.ShapeDtypeStruct((4,), jnp.float32))
f(jnp.ones(4))
