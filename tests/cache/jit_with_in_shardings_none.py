"""Options about layout are no part of the trace."""

import jax
import jax.numpy as jnp


def f(x):  # traced: 1
    return x + 1


device = jax.sharding.SingleDeviceSharding(jax.devices()[0])
jax.jit(f)(jnp.ones(2))
jax.jit(f, out_shardings=device)(jnp.ones(2))
jax.jit(f, in_shardings=device)(jnp.ones(2))
