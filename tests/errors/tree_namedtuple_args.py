from typing import NamedTuple
import jax
import jax.numpy as jnp


class State(NamedTuple):
    params: jax.Array
    step: int


@jax.jit
def update(state):
    return State(state.params * 2)


update(State(jnp.ones(2), 0))
