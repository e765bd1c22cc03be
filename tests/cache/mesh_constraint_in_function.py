"""What is constrained in a compiled function lies over that mesh."""
import jax
import jax.numpy as jnp
from jax.sharding import AxisType, NamedSharding, PartitionSpec as P

mesh = jax.make_mesh((1,), ("x",), axis_types=(AxisType.Auto,))


@jax.jit
def layer(x):  # traced: 2
    return jax.lax.with_sharding_constraint(x * 2, NamedSharding(mesh, P("x")))


@jax.jit
def head(x):  # traced: 2
    return x.sum()


x = jnp.ones(8)
head(x)
y = layer(x)
head(y)
layer(y)
layer(y)
