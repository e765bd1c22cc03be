import jax
import jax.numpy as jnp
from jax.flatten_util import ravel_pytree

flat, unravel = ravel_pytree({"w": jnp.ones((2, 3)), "b": jnp.zeros(3)})

def rebuild(v):
    return unravel(v)

rebuild(flat * 2)
rebuild(jnp.ones(8))
