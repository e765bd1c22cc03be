from dataclasses import dataclass

import jax
import jax.numpy as jnp


@jax.tree_util.register_dataclass
@dataclass
class State:
    x: jax.Array
    v: jax.Array


@jax.jit
def step(s):
    return State(s.x + 0.1 * s.v, s.v)


print(step(State(jnp.zeros(3), jnp.ones(3))).x.shape)
