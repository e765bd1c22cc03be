"""A key more is another structure."""

import jax
import jax.numpy as jnp


@jax.jit
def total(p):  # traced: 3
    return sum(p.values())


params = {}
for name in ("w", "b", "scale"):
    params[name] = jnp.ones(())
    total(params)
total({"scale": jnp.ones(()), "w": jnp.ones(()), "b": jnp.ones(())})
