"""A function that is made under a trace and kept outside of it."""

import jax

cells = {}


@jax.jit
def install(x):  # traced: 1
    def later(y):  # traced: 1
        return y * 2

    cells["f"] = jax.jit(later)
    return x + 1


install(1.0)
cells["f"](1.0)
install(2.0)
cells["f"](2.0)
