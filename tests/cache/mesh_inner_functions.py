"""A function within a compiled one is traced for the type that the outer one is traced for."""
import jax
import jax.numpy as jnp
from jax.sharding import AxisType, NamedSharding, PartitionSpec as P


@jax.jit
def inner(x):  # traced: 2
    return x * 2


def body(carry, x):  # traced: 2
    return carry + x, x * 2


@jax.jit
def outer(x):  # traced: 2
    total, _ = jax.lax.scan(body, jnp.float32(0), x)
    return inner(x) + inner(x + 1) + total


mesh = jax.make_mesh((1,), ("x",), axis_types=(AxisType.Auto,))
x = jnp.ones(8)
outer(x)
outer(jax.device_put(x, NamedSharding(mesh, P("x"))))
outer(jax.device_put(x, NamedSharding(mesh, P())))
inner(x)
