"""The guard of transfers is no part of the key."""

import jax
import jax.numpy as jnp


@jax.jit
def f(x):  # traced: 1
    return x + 1


x = jnp.ones(2)
f(x)
with jax.transfer_guard("log"):
    f(x)
