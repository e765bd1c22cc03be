import jax
import jax.numpy as jnp
from jax.sharding import PartitionSpec as P

mesh = jax.make_mesh((1,), ("data",))


@jax.jit
def double(x):
    return jax.shard_map(lambda x: x * 2, mesh=mesh, in_specs=P("data"), out_specs=P("data"))(x)


print(jax.shard_map(lambda x: x * 2, mesh=mesh, in_specs=P(), out_specs=P())(jnp.ones(4)))
print(double(jnp.ones((4, 3))))
