import jax
import jax.numpy as jnp


def cond(state):
    i, x = state
    return i < 5


def body(state):
    i, x = state
    return i + 1, x[None]


jax.lax.while_loop(cond, body, (0, jnp.ones(3)))
