"""A Python bool and a boolean array of no dimension."""

import jax
import jax.numpy as jnp
import numpy as np


@jax.jit
def flip(x):  # traced: 2
    return ~x


flip(True)
flip(jnp.array(False))
flip(np.bool_(True))
flip(jnp.ones(2, bool))
