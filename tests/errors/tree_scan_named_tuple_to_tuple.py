from typing import NamedTuple
import jax
import jax.numpy as jnp

class State(NamedTuple):
    pos: jax.Array
    vel: jax.Array

def step(s, _):
    acc = -s.pos
    return (s.pos + s.vel, s.vel + acc), s.pos

def rollout(s):
    return jax.lax.scan(step, s, length=5)

rollout(State(jnp.ones(3), jnp.zeros(3)))
