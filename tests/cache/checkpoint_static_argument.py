"""A checkpoint with a static argument."""

from functools import partial

import jax
import jax.numpy as jnp


@partial(jax.checkpoint, static_argnums=1)
def layer(x, flag):  # traced: 2
    return jnp.sin(x) if flag else x


for flag in (True, False, True):
    jax.grad(lambda x: layer(x, flag))(1.0)
