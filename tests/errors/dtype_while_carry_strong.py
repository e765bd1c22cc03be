import jax
import jax.numpy as jnp


def halve(state):
    x, n = state
    return x / 2, n + 1


jax.lax.while_loop(lambda s: s[1] < 3, halve, (jnp.array([8, 4]), 0))
