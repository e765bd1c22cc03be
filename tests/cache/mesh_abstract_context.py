"""An abstract mesh in context is the same for keys as a mesh that is set."""
import jax
import jax.numpy as jnp
from jax.sharding import AxisType


@jax.jit
def f(x):  # traced: 2
    return x + 1


x = jnp.ones(8)
mesh = jax.make_mesh((1,), ("x",), axis_types=(AxisType.Auto,))
f(x)
with jax.set_mesh(mesh):
    f(x)
with jax.sharding.use_abstract_mesh(mesh.abstract_mesh):
    f(x)
f(x)
