"""The order of an OrderedDict is part of its structure."""

from collections import OrderedDict

import jax


@jax.jit
def total(p):  # traced: 3
    return sum(p.values())


total(OrderedDict(a=1.0, b=2.0))
total(OrderedDict(b=1.0, a=2.0))
total(dict(a=1.0, b=2.0))
total(OrderedDict([("a", 3.0), ("b", 4.0)]))
