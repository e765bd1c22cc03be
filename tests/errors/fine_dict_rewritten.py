import jax.numpy as jnp

params = {"w": jnp.ones(2), "b": jnp.zeros(2)}
for name in params:
    params[name] = params[name] * 2
for name in list(params):
    if name == "b":
        del params[name]
