import jax
import jax.numpy as jnp
import numpy as np


def double(x):
    return x * 2


f, g = jax.jit(double), jax.jit(double)
a = jnp.ones(3)
f(a)
g(a)
f(a)
