"""A subclass of dict is a leaf unless it is registered, and no array."""

import jax


class Params(dict):
    pass


@jax.jit
def total(p):  # traced: 1
    return p["w"] + 1.0


try:
    total(Params(w=1.0))
except TypeError:
    total(dict(Params(w=1.0)))
total({"w": 2.0})
