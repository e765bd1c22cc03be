from functools import partial

import jax
import jax.numpy as jnp
from jax import lax
from jax.sharding import PartitionSpec as P


def case(x):
    mesh = jax.make_mesh((1,), ("i",), axis_types=(jax.sharding.AxisType.Auto,))

    def loss(w):
        @partial(jax.shard_map, mesh=mesh, in_specs=(P("i"), P()), out_specs=P())
        def total(a, b):
            def each(c):
                # fault: c @ jnp.ones(11)
                return jnp.sin(c * b)

            return lax.psum(jax.vmap(each)(a).sum(), "i")

        return total(x, w)

    return loss(2.0), jax.jit(loss)(jnp.array(3.0))


result = case(jnp.linspace(0.0, 1.0, 4))
