"""Under 64 bits, Python numbers are still weak."""

import jax
import jax.numpy as jnp
import numpy as np

jax.config.update("jax_enable_x64", True)


@jax.jit
def f(x):  # traced: 5
    return x * 2


f(1.0)
f(np.float64(1))
f(np.float32(1))
f(1)
f(np.int64(1))
f(jnp.asarray(2.0))
