"""shard_map of one function, and a jit of it, over one device."""

import jax
import jax.numpy as jnp
import numpy as np

mesh = jax.sharding.Mesh(np.array(jax.devices()[:1]), ("d",))
spec = jax.sharding.PartitionSpec("d")


def f(x):  # traced: 3
    return x * 2


mapped = jax.shard_map(f, mesh=mesh, in_specs=spec, out_specs=spec)
for _ in range(2):
    mapped(jnp.ones(4))
for _ in range(2):
    jax.jit(mapped)(jnp.ones(4))
