import jax
import jax.numpy as jnp
import numpy as np

device = jax.devices()[0]


@jax.jit
def double(x):
    return x * 2


a = jax.device_put(jnp.ones(3), device)
double(a)
double(a + 1)
double(jnp.zeros_like(a))
double(jnp.ones(3))
