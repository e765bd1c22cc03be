import jax
import math


@jax.jit
def gaussian(x):
    return math.exp(-x * x / 2) / math.sqrt(2 * math.pi)


gaussian(0.0)
