import jax
import jax.numpy as jnp
import numpy as np

device = jax.devices()[0]


@jax.jit
def double(x):
    return x * 2


one = jax.sharding.SingleDeviceSharding(device)
double(jax.device_put(jnp.ones(3), one))
double(jax.device_put(jnp.ones(3), device))
double(jnp.ones(3))
