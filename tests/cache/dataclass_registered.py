"""A registered dataclass is a tree of its data fields."""

from dataclasses import dataclass

import jax
import jax.numpy as jnp


@jax.tree_util.register_dataclass
@dataclass
class State:
    x: jax.Array
    v: jax.Array


@jax.jit
def step(state):  # traced: 2
    return State(state.x + state.v, state.v * 0.9)


state = State(jnp.zeros(2), jnp.ones(2))
for _ in range(3):
    state = step(state)
step(State(jnp.zeros(3), jnp.ones(3)))
