"""A NumPy constant and a tracer of its type are one key."""

import jax
import jax.numpy as jnp
import numpy as np

TABLE = np.ones(3, np.float32)


@jax.jit
def inner(x):  # traced: 1
    return x.sum()


@jax.jit
def outer(x):  # traced: 1
    return inner(TABLE) + inner(x) + inner(jnp.asarray(TABLE))


outer(jnp.ones(3))
inner(TABLE)
