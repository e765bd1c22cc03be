from typing import NamedTuple

import jax
import jax.numpy as jnp


class State(NamedTuple):
    w: jax.Array
    step: int


@jax.jit
def update(state):
    return state._replace(weights=state.w * 2)


update(State(jnp.ones(2), 0))
