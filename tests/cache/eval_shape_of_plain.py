"""`jax.eval_shape` of a plain function remembers its trace."""

import jax
import jax.numpy as jnp


def f(x):  # traced: 1
    return x + 1


for _ in range(3):
    jax.eval_shape(f, jnp.ones(2))
jax.jit(f)(jnp.ones(2))
