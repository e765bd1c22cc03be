import jax
import jax.numpy as jnp


def step(state, x):
    state = dict(state, last=x)
    return state, state["sum"] + x


jax.lax.scan(step, {"sum": jnp.float32(0)}, jnp.arange(3.0))
