import jax
import jax.numpy as jnp
import numpy as np

device = jax.devices()[0]


one = jax.sharding.SingleDeviceSharding(device)
f = jax.jit(lambda x: x + 1, out_shardings=one)


@jax.jit
def double(x):
    return x * 2


a = jnp.ones(3)
double(a)
double(f(a))
double(f(a) + 1)
