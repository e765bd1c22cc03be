"""How explicit axes cut an array belongs to its type as well."""
import jax
import jax.numpy as jnp
from jax.sharding import AxisType, NamedSharding, PartitionSpec as P


@jax.jit
def f(x):  # traced: 9
    return x * 2


x = jnp.ones((8, 8))
mesh = jax.make_mesh((1, 1), ("x", "y"))
mixed = jax.make_mesh((1, 1), ("x", "y"), axis_types=(AxisType.Explicit, AxisType.Auto))
f(x)
for spec in (P("x", "y"), P("y", "x"), P(("x", "y")), P("x"), P("x", None), P(None, "x"), P()):
    f(jax.device_put(x, NamedSharding(mesh, spec)))
for spec in (P("x", "y"), P("x"), P(None, "y")):
    f(jax.device_put(x, NamedSharding(mixed, spec)))
