"""Lengths that are padded to powers of two."""

import jax
import jax.numpy as jnp


@jax.jit
def encode(tokens, length):  # traced: 4
    return jnp.where(jnp.arange(tokens.shape[0]) < length, tokens, 0).sum()


def padded(tokens):
    size = 1
    while size < len(tokens):
        size *= 2
    return jnp.array(tokens + [0] * (size - len(tokens)))


for n in (1, 2, 3, 4, 5, 7, 8, 3):
    encode(padded(list(range(n))), n)
