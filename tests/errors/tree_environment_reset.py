import jax, jax.numpy as jnp
from typing import NamedTuple
class EnvState(NamedTuple):
    pos: jax.Array
    t: int
def step(state, action):
    pos = state.pos + action
    done = state.t > 10
    new = EnvState(pos, state.t + 1)
    reset = EnvState(jnp.zeros(2), 0.0)
    return jax.lax.cond(done, lambda: reset, lambda: new)
s = EnvState(jnp.zeros(2), jnp.int32(0))
s = jax.jit(step)(s, jnp.ones(2))
