import jax
import jax.numpy as jnp

state = {"momentum": None, "count": 0}
new = {"momentum": jnp.ones(2), "count": 1}
jax.tree.map(lambda a, b: b, state, new)
