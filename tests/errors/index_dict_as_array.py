import jax
import jax.numpy as jnp

batch = {"x": jnp.ones((4, 2)), "y": jnp.ones(4)}


@jax.jit
def first(batch):
    return batch[0]


first(batch)
