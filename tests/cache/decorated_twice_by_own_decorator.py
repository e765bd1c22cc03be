"""A decorator that compiles at each call, and one that compiles once."""

from functools import wraps

import jax
import jax.numpy as jnp


def compiled_each_time(f):
    @wraps(f)
    def wrapper(*args):
        return jax.jit(f)(*args)
    return wrapper


def compiled_anew(f):
    @wraps(f)
    def wrapper(*args):
        return jax.jit(lambda *a: f(*a))(*args)
    return wrapper


@compiled_each_time
def f(x):  # traced: 1
    return x + 1


@compiled_anew
def g(x):  # traced: 3
    return x - 1


for _ in range(3):
    f(jnp.ones(2))
    g(jnp.ones(2))
