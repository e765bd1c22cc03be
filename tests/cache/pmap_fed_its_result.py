"""What pmap gives lies over a mesh of devices: pmap traces once more for it, and any other function does, too."""
from functools import partial

import jax
import jax.numpy as jnp

calls = [0]


@partial(jax.pmap, axis_name="i")
def step(x):  # traced: 2
    calls[0] += 1
    return x + jax.lax.pmean(x, "i")


@jax.jit
def norm(x):  # traced: 2
    return (x * x).sum()


x = jnp.ones((1, 3))
norm(x)
for _ in range(4):
    x = step(x)
norm(x)
norm(x * 2)
step(jnp.zeros((1, 3)))
