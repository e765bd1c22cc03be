import jax
import jax.numpy as jnp
from jax.sharding import NamedSharding, PartitionSpec as P

mesh = jax.make_mesh((1,), ("data",))
jax.device_put(jnp.ones(4), NamedSharding(mesh, P("data", None)))
