"""A state of a named tuple that is replaced field by field."""

from typing import NamedTuple

import jax
import jax.numpy as jnp


class State(NamedTuple):
    w: jax.Array
    step: int = 0
    best: float | None = None


@jax.jit
def advance(state):  # traced: 2
    loss = jnp.sum(state.w ** 2)
    return state._replace(w=state.w * 0.9, step=state.step + 1, best=loss)


state = State(jnp.ones(3))
for _ in range(4):
    state = advance(state)
