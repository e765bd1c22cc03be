import jax
import jax.numpy as jnp
import numpy as np

device = jax.devices()[0]


@jax.jit
def double(x):
    return x * 2


double(jnp.ones(3))
with jax.default_device(device):
    z = jnp.ones(3)
double(z)
