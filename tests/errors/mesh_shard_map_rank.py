import jax
import jax.numpy as jnp
from jax.sharding import PartitionSpec as P

mesh = jax.make_mesh((1,), ("i",))


def f(x):
    return jax.lax.psum(x.sum(), "i")


total = jax.shard_map(f, mesh=mesh, in_specs=P("i", None), out_specs=P())(jnp.ones(4))
