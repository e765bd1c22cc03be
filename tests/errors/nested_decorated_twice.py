import functools

import jax
import jax.numpy as jnp


def logged(f):
    @functools.wraps(f)
    def wrapper(*args):
        out = f(*args)
        return out + jnp.ones(2)
    return wrapper


@jax.jit
@logged
def double(x):
    return x * 2


double(jnp.ones(2))
double(jnp.ones(3))
