import jax
import jax.numpy as jnp
import numpy as np

device = jax.devices()[0]


@jax.jit
def first(a, b):
    return a * 2


first(jnp.ones(3), jnp.ones(2))
first(jnp.ones(3), jax.device_put(jnp.ones(2), device))
