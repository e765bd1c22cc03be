"""`astype` and arithmetic with strong values end weakness."""

import jax
import jax.numpy as jnp


@jax.jit
def f(x):  # traced: 2
    return x * 3


w = jnp.asarray(1.0)
f(w)
f(w.astype(jnp.float32))
f(w + jnp.float32(1))
f(w + 1.0)
f(w * 2)
