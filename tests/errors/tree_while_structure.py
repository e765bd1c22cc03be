import jax
import jax.numpy as jnp


def body(state):
    x, i = state
    return [x * 2, i + 1]


jax.lax.while_loop(lambda s: s[1] < 3, body, (jnp.ones(2), 0))
