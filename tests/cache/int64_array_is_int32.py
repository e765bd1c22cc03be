"""Without x64, NumPy's int64 arrays are int32."""

import jax
import jax.numpy as jnp
import numpy as np


@jax.jit
def f(x):  # traced: 2
    return x.sum()


f(np.arange(3))
f(np.arange(3, dtype=np.int32))
f(jnp.arange(3))
f(np.arange(3, dtype=np.uint32))
