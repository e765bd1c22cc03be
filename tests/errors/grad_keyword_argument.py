import jax
import jax.numpy as jnp


def loss(params, x):
    return (params * x).sum()


jax.grad(loss)(params=jnp.ones(2), x=jnp.ones(2))
