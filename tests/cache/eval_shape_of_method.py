"""`f.eval_shape` of a jitted function."""

import jax
import jax.numpy as jnp


@jax.jit
def f(x):  # traced: 2
    return x + 1


f.eval_shape(1.0)
f(1.0)
f.eval_shape(jnp.ones(3))
f.eval_shape(jax.ShapeDtypeStruct((3,), jnp.float32))
