import jax
import jax.numpy as jnp
from jax import lax
from jax.sharding import PartitionSpec as P
from jax.sharding import NamedSharding

mesh = jax.make_mesh((1, 1), ("x", "y"), axis_types=(jax.sharding.AxisType.Auto,) * 2)


def case(a, w):
    def loss(v):
        def layer(h):
            # fault: h @ jnp.ones((11, 2))
            out = jnp.tanh(h @ v)
            return lax.with_sharding_constraint(out, NamedSharding(mesh, P("x", None)))

        return layer(a).sum() + jax.jit(layer, out_shardings=NamedSharding(mesh, P("x")))(a).sum()

    return jax.grad(loss)(w)


result = jax.jit(case)(jnp.linspace(0.1, 0.5, 6).reshape(2, 3), jnp.ones((3, 2)))
