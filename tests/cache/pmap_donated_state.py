"""A state that is donated to pmap, beside a batch that is new each time."""
from functools import partial

import jax
import jax.numpy as jnp


@partial(jax.pmap, axis_name="batch", donate_argnums=(0,))
def step(state, batch):  # traced: 2
    mean = jax.lax.pmean(batch.sum(), "batch")
    return {"w": state["w"] - mean, "n": state["n"] + 1}, mean


state = {"w": jnp.ones((1, 3)), "n": jnp.zeros(1, jnp.int32)}
for _ in range(4):
    state, loss = step(state, jnp.ones((1, 8)))
