"""lax.map of a kept function and of lambdas."""

import jax
import jax.numpy as jnp


def square(x):  # traced: 4
    return x * x


xs = jnp.arange(4.0)
for _ in range(3):
    jax.lax.map(square, xs)
    jax.lax.map(lambda x: x + 1, xs)
jax.lax.map(square, xs, batch_size=2)
