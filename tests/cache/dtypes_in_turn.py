"""One trace per dtype."""

import jax
import jax.numpy as jnp


@jax.jit
def f(x):  # traced: 5
    return x + x


for dtype in ("float32", "float16", "bfloat16", "int8", "float32", "bool", "int8"):
    f(jnp.ones(2, dtype))
