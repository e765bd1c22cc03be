import jax
import jax.numpy as jnp
from jax.sharding import PartitionSpec as P

mesh = jax.make_mesh((1,), ("i",))
f = jax.shard_map(lambda x: jax.lax.psum(x, "j"), mesh=mesh, in_specs=P("i"), out_specs=P())
f(jnp.ones(4))
