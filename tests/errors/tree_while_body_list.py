import jax
import jax.numpy as jnp


def body(state):
    i, x = state
    return [i + 1, x * 2]


jax.lax.while_loop(lambda s: s[0] < 3, body, (0, 1.0))
