"""Inside of a trace, keywords tell calls apart, too."""

import jax
import jax.numpy as jnp


@jax.jit
def inner(x, y=1.0):  # traced: 4
    return x + y


@jax.jit
def outer(x):  # traced: 1
    return inner(x) + inner(x, 1.0) + inner(x, y=1.0) + inner(y=x, x=x)


outer(jnp.ones(2))
