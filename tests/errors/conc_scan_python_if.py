import jax
import jax.numpy as jnp


def step(state, reward):
    if reward < 0:
        state = 0.0
    return state + reward, state


jax.lax.scan(step, 0.0, jnp.array([1.0, -1.0, 2.0]))
