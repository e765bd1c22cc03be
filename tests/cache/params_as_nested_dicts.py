"""A model's parameters in nested dicts and lists."""

import jax
import jax.numpy as jnp


def init(sizes):
    return {"layers": [{"w": jnp.ones((m, n)), "b": jnp.zeros(n)} for m, n in zip(sizes, sizes[1:])]}


@jax.jit
def forward(params, x):  # traced: 3
    for layer in params["layers"]:
        x = jnp.tanh(x @ layer["w"] + layer["b"])
    return x


for sizes in ([2, 3, 1], [2, 3, 1], [2, 4, 1], [2, 3, 3, 1]):
    forward(init(sizes), jnp.ones((5, 2)))
