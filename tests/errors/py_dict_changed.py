import jax.numpy as jnp

params = {"w": jnp.ones(2), "old": jnp.ones(2)}
for name in params:
    if name == "old":
        del params[name]
