"""An assertion about shapes is checked when tracing."""

import jax
import jax.numpy as jnp


@jax.jit
def f(x):  # traced: 4
    assert x.shape[0] % 2 == 0
    return x.reshape(2, -1)


for n in (2, 3, 2, 3, 4):
    try:
        f(jnp.ones(n))
    except AssertionError:
        pass
