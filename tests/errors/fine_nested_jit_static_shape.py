from functools import partial

import jax
import jax.numpy as jnp


@partial(jax.jit, static_argnums=1)
def zeros_like_rows(x, n):
    return jnp.zeros((n, x.shape[1]), x.dtype)


@jax.jit
def outer(x):
    return zeros_like_rows(x, x.shape[0] * 2)


outer(jnp.ones((2, 3), jnp.bfloat16))
