"""Shapes asked of a compiled function first."""

import jax
import jax.numpy as jnp


@jax.jit
def f(x):  # traced: 2
    return x @ x


jax.eval_shape(f, jax.ShapeDtypeStruct((2, 2), jnp.float32))
f(jnp.ones((2, 2)))
jax.make_jaxpr(f)(jnp.ones((2, 2)))
f.lower(jnp.ones((2, 2)))
f.trace(jnp.ones((3, 3)))
f(jnp.ones((3, 3)))
