import jax, jax.numpy as jnp
jax.config.update("jax_num_cpu_devices", 4)
from jax.sharding import NamedSharding, PartitionSpec as P
mesh = jax.make_mesh((4,), ("d",))
jax.device_put(jnp.ones((6, 2)), NamedSharding(mesh, P("d")))
