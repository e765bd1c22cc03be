"""Inside of a trace, weakness tells calls apart, too."""

import jax
import jax.numpy as jnp


@jax.jit
def inner(x):  # traced: 3
    return x * 2


@jax.jit
def outer(x):  # traced: 2
    return inner(x) + inner(1.0) + inner(x.sum()) + inner(2.0)


outer(jnp.ones(2))
outer(jnp.float32(1))
