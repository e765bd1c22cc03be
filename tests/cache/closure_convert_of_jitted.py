"""Converting a jitted closure and calling it share a trace."""

import jax
import jax.numpy as jnp


@jax.jit
def f(x):  # traced: 1
    return jnp.sin(x)


converted, constants = jax.closure_convert(f, 1.0)
converted(1.0, *constants)
f(1.0)
