"""The mesh that an array lies over belongs to its type; how automatic axes cut it does not."""
import jax
import jax.numpy as jnp
import numpy as np
from jax.sharding import AxisType, Mesh, NamedSharding, PartitionSpec as P


@jax.jit
def f(x):  # traced: 3
    return x * 2


x = jnp.ones(8)
a = jax.make_mesh((1,), ("x",), axis_types=(AxisType.Auto,))
b = jax.make_mesh((1,), ("y",), axis_types=(AxisType.Auto,))
f(x)
f(np.ones(8, np.float32))
for spec in (P("x"), P(), P(None)):
    f(jax.device_put(x, NamedSharding(a, spec)))
f(jax.device_put(x, NamedSharding(Mesh(np.array(jax.devices()), ("x",)), P("x"))))
f(jax.device_put(x, NamedSharding(b, P("y"))))
