"""What is computed from arrays over a mesh lies over it, and so is of their type; new arrays are not."""
import jax
import jax.numpy as jnp
from jax.sharding import AxisType, NamedSharding, PartitionSpec as P


@jax.jit
def f(x):  # traced: 2
    return x + 1


@jax.jit
def both(x):  # traced: 1
    return x * 2, jnp.ones(8)


mesh = jax.make_mesh((1,), ("x",), axis_types=(AxisType.Auto,))
x = jax.device_put(jnp.ones(8), NamedSharding(mesh, P("x")))
for y in (x, x + 1, x * jnp.ones(8), jnp.zeros_like(x), jnp.where(x > 0, x, 0.0), *both(x), f(x), jnp.stack([x, x])[0]):
    f(y)
f(jnp.ones(x.shape))
f(jax.grad(lambda x: (x**2).sum())(x))
f(jax.device_put(x, jax.devices()[0]))
