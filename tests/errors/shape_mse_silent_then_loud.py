import jax
import jax.numpy as jnp


def mse(prediction, target):
    return jnp.mean((prediction - target) ** 2)


wide = mse(jnp.ones((8, 1)), jnp.ones(8))
narrow = jax.jit(mse)(jnp.ones((8, 2)), jnp.ones(8))
