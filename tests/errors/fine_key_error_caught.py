import jax
import jax.numpy as jnp

params = {"w": jnp.ones(2)}


@jax.jit
def f(params, x):
    try:
        bias = params["b"]
    except KeyError:
        bias = 0.0
    return x @ params["w"] + bias


f(params, jnp.ones(2))
