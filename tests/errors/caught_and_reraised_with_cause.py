import jax
import jax.numpy as jnp


def load(params, name):
    try:
        return params[name]
    except KeyError as error:
        raise ValueError(f"no parameter {name}") from error


params = {"w": jnp.ones(2)}
load(params, "w")
load(params, "bias")
