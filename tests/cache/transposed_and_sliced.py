"""Shapes that come by way of views."""

import jax
import jax.numpy as jnp
import numpy as np


@jax.jit
def f(x):  # traced: 6
    return x.sum()


x = np.ones((2, 3), np.float32)
for y in (x, x.T, x[:, :2], x[:, :2].T, x.reshape(3, 2), x.ravel(), x[0], jnp.asarray(x).T, x[None]):
    f(y)
