"""One function, donating and not, is traced once per type."""

import jax
import jax.numpy as jnp


def step(state):  # traced: 1
    return {"n": state["n"] + 1}


donating = jax.jit(step, donate_argnames="state")
plain = jax.jit(step)
state = {"n": jnp.zeros(2)}
state = plain(state)
state = donating(state)
state = donating(state)
plain(state)
