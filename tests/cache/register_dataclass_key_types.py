"""A registered dataclass whose field holds another structure."""

from dataclasses import dataclass, replace

import jax
import jax.numpy as jnp
import numpy as np


@jax.tree_util.register_dataclass
@dataclass
class State:
    params: dict
    step: int


@jax.jit
def advance(state):  # traced: 3
    return replace(state, step=state.step + 1)


state = State({"w": jnp.ones(2)}, 0)
for _ in range(3):
    state = advance(state)
advance(State({"w": jnp.ones(2), "b": jnp.zeros(2)}, 0))
advance(State({"w": jnp.ones(2)}, np.int32(0)))
