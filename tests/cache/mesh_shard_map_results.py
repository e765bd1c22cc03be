"""The results of `shard_map` lie over its mesh, called as it is or within a compiled function."""
import jax
import jax.numpy as jnp
from jax.sharding import AxisType, PartitionSpec as P

mesh = jax.make_mesh((1,), ("x",), axis_types=(AxisType.Auto,))


@jax.jit
def f(x):  # traced: 2
    return x + 1


double = jax.shard_map(lambda x: x * 2, mesh=mesh, in_specs=P("x"), out_specs=P("x"))
x = jnp.ones(8)
f(x)
f(double(x))
f(jax.jit(double)(x))
f(jnp.ones(8))
