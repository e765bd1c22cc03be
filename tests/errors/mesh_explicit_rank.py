import jax, jax.numpy as jnp
from jax.sharding import NamedSharding, PartitionSpec as P
mesh = jax.make_mesh((1,), ("x",))
y = jax.device_put(jnp.ones(4), NamedSharding(mesh, P(None, "x")))
