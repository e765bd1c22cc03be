import jax
import jax.numpy as jnp
from functools import partial


@partial(jax.jit, donate_argnums=0)
def step(state, x):
    return {"w": state["w"] + x, "n": state["n"] + 1}


state = {"w": jnp.zeros(3), "n": jnp.int32(0)}
for i in range(4):
    state = step(state, jnp.ones(3))
print(state["w"] + 1)
