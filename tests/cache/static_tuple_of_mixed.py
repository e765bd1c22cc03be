"""Equal tuples are one key, whatever the types of their numbers."""

from functools import partial

import jax


@partial(jax.jit, static_argnums=1)
def f(x, pair):  # traced: 1
    return x * pair[0] + pair[1]


for pair in ((1, 2), (1.0, 2.0), (True, 2), (1, 2)):
    f(1.0, pair)
