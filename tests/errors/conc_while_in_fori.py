import jax
import jax.numpy as jnp


def halve(i, x):
    while x > 1:
        x = x / 2
    return x


jax.lax.fori_loop(0, 3, halve, 10.0)
