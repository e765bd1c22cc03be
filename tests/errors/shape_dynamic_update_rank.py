import jax
import jax.numpy as jnp
from jax import lax


def push(buffer, item, at):
    return lax.dynamic_update_slice(buffer, item, (at, 0))


buffer = jnp.zeros((8, 4))
buffer = jax.jit(push)(buffer, jnp.ones(4), 3)
