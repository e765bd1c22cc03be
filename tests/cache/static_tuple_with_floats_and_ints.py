"""Equal numbers of different types inside of a static tuple."""

from functools import partial

import jax
import jax.numpy as jnp


@partial(jax.jit, static_argnums=1)
def pad(x, widths):  # traced: 1
    return jnp.pad(x, int(widths[0]))


pad(jnp.ones(2), (1, 2))
pad(jnp.ones(2), (1.0, 2.0))
pad(jnp.ones(2), (True, 2))
pad(jnp.ones(2), (1, 2))
