"""Gradients of gradients of a jitted function."""

import jax
import jax.numpy as jnp


@jax.jit
def f(x):  # traced: 1
    return jnp.sin(x) * x


jax.grad(f)(1.0)
jax.grad(jax.grad(f))(1.0)
jax.grad(jax.grad(jax.grad(f)))(1.0)
f(1.0)
