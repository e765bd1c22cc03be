"""A list of layers that loses one."""

import jax
import jax.numpy as jnp


@jax.jit
def forward(layers, x):  # traced: 3
    for w in layers:
        x = x @ w
    return x


layers = [jnp.eye(2) for _ in range(3)]
forward(layers, jnp.ones(2))
forward(layers[:-1], jnp.ones(2))
forward(tuple(layers), jnp.ones(2))
forward([w * 2 for w in layers], jnp.ones(2))
