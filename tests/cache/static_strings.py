"""Strings compare by what they say."""

from functools import partial

import jax
import jax.numpy as jnp


@partial(jax.jit, static_argnames="mode")
def reduce(x, mode):  # traced: 2
    return x.sum() if mode == "sum" else x.mean()


for mode in ("sum", "mean", "su" + "m", "mean"):
    reduce(jnp.ones(3), mode=mode)
