"""Another name is not another function."""

import jax


@jax.jit
def f(x):  # traced: 1
    return x - 1


g = h = f
f(1.0)
g(2.0)
h(3.0)
table = {"f": f}
table["f"](4.0)
