from dataclasses import dataclass

import jax
import jax.numpy as jnp


@dataclass
class State:
    position: jax.Array
    velocity: jax.Array


@jax.jit
def step(state, dt):
    return State(state.position + dt * state.velocity, state.velocity)


step(State(jnp.zeros(3), jnp.ones(3)), 0.1)
