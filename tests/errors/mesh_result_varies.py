import jax
import jax.numpy as jnp
import numpy as np
from jax.sharding import Mesh, PartitionSpec as P

mesh = Mesh(np.array(jax.devices()[:1]), ("data",))


def loss(w, x):
    return {"mean": jax.lax.pmean(x @ w, "data"), "local": (x @ w).sum()}


sharded = jax.jit(jax.shard_map(loss, mesh=mesh, in_specs=(P(), P("data")), out_specs=P()))
w = jnp.ones(3)
out = sharded(w, jnp.ones((4, 3)))
