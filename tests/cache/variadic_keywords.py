"""Each set of names is another structure."""

import jax


@jax.jit
def total(**xs):  # traced: 3
    return sum(xs.values())


total(a=1.0)
total(a=1.0, b=2.0)
total(b=1.0, a=2.0)
total(c=1.0)
total(**{"a": 5.0})
