"""The order in which a dict was filled is no part of its structure."""

import jax


@jax.jit
def f(p):  # traced: 1
    return p["a"] + p["b"]


f({"a": 1.0, "b": 2.0})
f({"b": 2.0, "a": 1.0})
f(dict(zip("ba", (1.0, 2.0))))
