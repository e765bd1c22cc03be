"""Lowering with static arguments."""

from functools import partial

import jax


@partial(jax.jit, static_argnums=1)
def f(x, n):  # traced: 2
    return x * n


f.lower(1.0, 2)
f(1.0, 2)
f.lower(1.0, 3).compile()(1.0)
f(1.0, 3)
