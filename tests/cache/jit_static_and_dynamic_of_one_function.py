"""One function jitted with and without a static argument."""

import jax


def power(x, n):  # traced: 3
    return x * n


dynamic = jax.jit(power)
static = jax.jit(power, static_argnums=1)
dynamic(2.0, 3)
static(2.0, 3)
dynamic(2.0, 4)
static(2.0, 4)
