import jax
import jax.numpy as jnp


@jax.jit
def step(x):
    y = x * 2
    y.block_until_ready()
    return y


step(jnp.ones(3)).block_until_ready()
