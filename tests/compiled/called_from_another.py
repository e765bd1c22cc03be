import jax
import jax.numpy as jnp
import numpy as np

device = jax.devices()[0]


@jax.jit
def inner(x):
    return x + 1


@jax.jit
def outer(x):
    return inner(x) * 2


a = jnp.ones(3)
outer(a)
outer(jax.device_put(a, device))
inner(a)
inner(jax.device_put(a, device))
