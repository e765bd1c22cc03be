"""A defaultdict is another type than a dict, and its factory counts."""

from collections import defaultdict

import jax


@jax.jit
def total(p):  # traced: 3
    return sum(p.values())


total({"a": 1.0})
total(defaultdict(float, a=1.0))
total(defaultdict(float, a=2.0))
total(defaultdict(int, a=2.0))
