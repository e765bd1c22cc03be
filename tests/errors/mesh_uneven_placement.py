import os

os.environ["XLA_FLAGS"] = "--xla_force_host_platform_device_count=8"

import jax
import jax.numpy as jnp
from jax.sharding import NamedSharding, PartitionSpec as P

mesh = jax.make_mesh((2, 4), ("data", "model"), axis_types=(jax.sharding.AxisType.Auto,) * 2)


def place(tree):
    return jax.tree.map(lambda x: jax.device_put(x, NamedSharding(mesh, P("data", "model"))), tree)


params = place({"w": jnp.ones((16, 8)), "v": jnp.ones((16, 12))})
head = place({"out": jnp.ones((16, 10))})
