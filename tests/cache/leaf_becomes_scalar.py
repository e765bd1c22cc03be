"""A leaf that changes its type inside a big tree."""

import jax
import jax.numpy as jnp
import numpy as np


@jax.jit
def step(params):  # traced: 3
    return {"w": params["w"] * params["rate"], "rate": params["rate"]}


step({"w": jnp.ones(2), "rate": 0.1})
step({"w": jnp.ones(2), "rate": jnp.float32(0.1)})
step({"w": jnp.ones(2), "rate": 1})
step({"w": np.ones(2), "rate": 0.2})
