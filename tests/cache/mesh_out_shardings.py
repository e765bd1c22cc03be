"""`out_shardings` say where results lie, and so what the next call sees; they and `in_shardings` are no part of the key."""
import jax
import jax.numpy as jnp
from jax.sharding import AxisType, NamedSharding, PartitionSpec as P


def f(x):  # traced: 2
    return x + 1


x = jnp.ones(8)
mesh = jax.make_mesh((1,), ("x",), axis_types=(AxisType.Auto,))
over = NamedSharding(mesh, P("x"))
jax.jit(f)(x)
jax.jit(f, in_shardings=over)(x)
y = jax.jit(f, out_shardings=over)(x)
jax.jit(f)(y)
jax.jit(f, in_shardings=over)(y)
jax.jit(f)(jax.jit(f, in_shardings=over)(x))
