"""A scalar of NumPy hashes like a number, and is another type."""

from functools import partial

import jax
import numpy as np


@partial(jax.jit, static_argnums=1)
def f(x, n):  # traced: 3
    return x * int(n)


for n in (2, np.int64(2), np.int32(2), 2, np.int64(2)):
    f(1.0, n)
