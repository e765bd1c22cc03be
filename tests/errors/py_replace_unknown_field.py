import dataclasses
import jax.numpy as jnp

@dataclasses.dataclass(frozen=True)
class State:
    step: int
    params: object

def advance(s):
    return dataclasses.replace(s, steps=s.step + 1)

advance(State(0, jnp.ones(2)))
