import jax
import jax.numpy as jnp

def model(params, x):
    return x @ params["w"] + params["b"]

def ensemble(params, x):
    return jax.vmap(model, in_axes=({"w": 0, "b": 0}, None))(params, x)

params = {"w": jnp.ones((3, 4, 2)), "b": jnp.ones((2,))}
ensemble(params, jnp.ones((5, 4)))
