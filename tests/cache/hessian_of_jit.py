"""The Hessian of a jitted function."""

import jax
import jax.numpy as jnp


@jax.jit
def f(x):  # traced: 1
    return jnp.sum(x ** 3)


jax.hessian(f)(jnp.ones(3))
jax.hessian(f)(jnp.ones(3))
f(jnp.ones(3))
