"""The other order: strong first, weak second."""

import jax
import jax.numpy as jnp
import numpy as np


@jax.jit
def f(x):  # traced: 2
    return x + 1


f(jnp.float32(1.0))
f(1.0)
f(jnp.asarray(1.0))
f(np.float32(1.0))
