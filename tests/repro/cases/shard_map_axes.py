import jax
import jax.numpy as jnp
from jax import lax
from jax.sharding import PartitionSpec as P

mesh = jax.make_mesh((1, 1), ("r", "c"), axis_types=(jax.sharding.AxisType.Auto,) * 2)


def case(x, y):
    def outer(v):
        def blocks(a, b):
            def body(carry, t):
                # fault: t @ jnp.ones(11)
                return carry + t.sum(), t * b["k"].sum()

            return lax.scan(body, a.sum() * 0.0, a)[1]

        mapped = jax.shard_map(blocks, mesh=mesh, in_specs=(P("r", "c"), {"k": P()}), out_specs=P("r", "c"))
        return mapped(v, {"k": y})

    return jax.jit(outer)(x) * 2.0


result = case(jnp.linspace(0.0, 1.0, 8).reshape(2, 4), jnp.ones(2))
