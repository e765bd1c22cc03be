import os

os.environ["XLA_FLAGS"] = "--xla_force_host_platform_device_count=8"

import jax
import jax.numpy as jnp
from jax.sharding import NamedSharding, PartitionSpec as P

mesh = jax.make_mesh((2, 4), ("data", "model"), axis_types=(jax.sharding.AxisType.Auto,) * 2)
columns = NamedSharding(mesh, P(None, "model"))


@jax.jit
def head(x, w):
    return jax.lax.with_sharding_constraint(x @ w, columns)


print(head(jnp.ones((8, 4)), jnp.ones((4, 1))).shape)
