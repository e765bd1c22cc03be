import jax
import jax.numpy as jnp
import numpy as np

device = jax.devices()[0]


@jax.jit
def double(x):
    return x * 2


a = jnp.ones(3)
double(a)
double(jax.device_put(a, device))
double(a)
double(jax.device_put(a, device))
