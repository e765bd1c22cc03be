"""Condition and body of a while loop are traced once."""

import jax


def running(state):  # traced: 1
    return state[0] < 5


def advance(state):  # traced: 1
    return state[0] + 1, state[1] * 2


for _ in range(3):
    jax.lax.while_loop(running, advance, (0, 1.0))
