"""Differentiating at a Python float."""

import jax
import jax.numpy as jnp


@jax.jit
def f(x):  # traced: 2
    return x ** 2


f(3.0)
jax.grad(f)(3.0)
jax.grad(f)(jnp.float32(3.0))
jax.grad(jax.grad(f))(3.0)
