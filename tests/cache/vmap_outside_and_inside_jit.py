"""Mapping a compiled function, and compiling a mapped one."""

import jax
import jax.numpy as jnp


@jax.jit
def f(x):  # traced: 1
    return jnp.sin(x).sum()


xs = jnp.ones((4, 3))
jax.vmap(f)(xs)
jax.vmap(f)(xs)
jax.jit(jax.vmap(f))(xs)
jax.vmap(jax.vmap(f))(jnp.ones((2, 4, 3)))
f(xs[0])
