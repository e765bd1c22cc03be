"""`jax.eval_shape` of a jitted function."""

import jax
import jax.numpy as jnp


@jax.jit
def f(x):  # traced: 2
    return x + 1


jax.eval_shape(f, jnp.ones(2))
f(jnp.ones(2))
jax.eval_shape(f, jnp.ones(3))
f(jnp.ones(3))
