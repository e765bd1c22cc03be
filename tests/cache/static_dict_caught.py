"""A dict cannot be static, its items can."""

from functools import partial

import jax


@partial(jax.jit, static_argnames="options")
def f(x, options):  # traced: 1
    return x * dict(options)["k"]


options = {"k": 2}
try:
    f(1.0, options=options)
except ValueError:
    pass
f(1.0, options=tuple(options.items()))
f(1.0, options=tuple(sorted({"k": 2}.items())))
