import jax
import jax.numpy as jnp


def loss(params):
    return {"loss": params["w"].sum()}


jax.grad(loss)({"w": jnp.ones(2)})
