"""What arange and astype give as arguments."""

import jax
import jax.numpy as jnp


@jax.jit
def f(x):  # traced: 3
    return x * 1


f(jnp.arange(3))
f(jnp.arange(3.0))
f(jnp.arange(3).astype(float))
f(jnp.arange(3).astype(int))
f(jnp.arange(3, dtype="float32"))
f(jnp.arange(3).astype("bfloat16"))
f(jnp.linspace(0, 2, 3))
