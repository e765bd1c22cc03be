import jax
import jax.numpy as jnp
from functools import partial

@partial(jax.jit, static_argnums=1)
def pad_to(x, n):
    return jnp.pad(x, (0, n - x.shape[0]))

@jax.jit
def outer(x):
    return pad_to(x, x.shape[0] + 2).sum() + pad_to(x, x.size * jnp.int32(2)).sum()

outer(jnp.ones(3))
