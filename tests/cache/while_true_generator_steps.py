"""A generator that drives a jitted step."""

import itertools

import jax
import numpy as np


@jax.jit
def step(x):  # traced: 2
    return x * 2


def run(x):
    while True:
        x = step(x)
        yield x


for total in itertools.islice(run(1), 3):
    print(total.dtype)
for total in itertools.islice(run(np.float32(1)), 3):
    print(total.dtype)
