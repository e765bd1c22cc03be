"""Settings that are put back find the old trace."""

import jax
import jax.numpy as jnp


@jax.jit
def f(a):  # traced: 2
    return a @ a


a = jnp.ones((2, 2))
f(a)
jax.config.update("jax_default_matmul_precision", "high")
f(a)
jax.config.update("jax_default_matmul_precision", None)
f(a)
