import jax
import numpy as np

knots, values = np.linspace(0, 1, 5), np.arange(5.0)


def lookup(x):
    return np.interp(x, knots, values)


jax.grad(lookup)(0.3)
