import jax
import jax.numpy as jnp
import numpy as np

device = jax.devices()[0]


@jax.jit
def double(x):
    return x * 2


for n in (2, 3):
    double(jnp.ones(n))
    double(jax.device_put(jnp.ones(n), device))
    double(jnp.zeros(n))
