"""A dtype by any of its names is one type."""

import jax
import jax.numpy as jnp
import numpy as np


@jax.jit
def f(x):  # traced: 2
    return x + 1


f(jnp.zeros(2, "float32"))
f(jnp.zeros(2, np.float32))
f(jnp.zeros(2, jnp.float32))
f(jnp.zeros(2, float))
f(jnp.zeros(2, "f4"))
f(jnp.zeros(2, int))
