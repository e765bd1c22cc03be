import jax
import jax.numpy as jnp
import numpy as np
from jax.sharding import Mesh, PartitionSpec as P

mesh = Mesh(np.array(jax.devices()[:1]), ("data",))
x = jnp.arange(12.0).reshape(4, 3)


def over(f, out_specs, **options):
    return jax.shard_map(f, mesh=mesh, in_specs=P("data"), out_specs=out_specs, **options)(x)


total = over(lambda x: jax.lax.psum(x.sum(), "data"), P())
most = over(lambda x: (jax.lax.pmax(x, "data"), x.sum()[None]), (P(), P("data")))
chosen = over(lambda x: jax.lax.cond(x.sum() > 0, lambda: 1.0, lambda: 2.0), P())
counted = over(lambda x: jax.lax.scan(lambda c, row: (c + 1, row), 0, x), (P(), P("data")))
looped = over(lambda x: jax.lax.while_loop(lambda c: c < x.sum(), lambda c: c + 1, 0.0), P())
unchecked = over(lambda x: x.sum(), P(), check_vma=False)
slope = jax.shard_map(lambda w, x: jax.grad(lambda w: (w * x).sum())(w), mesh=mesh, in_specs=(P(), P("data")), out_specs=P())(x[0], x)
