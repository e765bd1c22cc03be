"""Dtypes as static arguments, by several names."""

from functools import partial

import jax
import jax.numpy as jnp
import numpy as np


@partial(jax.jit, static_argnames="dtype")
def cast(x, dtype):  # traced: 4
    return x.astype(dtype)


x = jnp.ones(2)
for dtype in (jnp.float16, "float16", jnp.float16, np.float16, jnp.dtype("float16")):
    cast(x, dtype=dtype)
