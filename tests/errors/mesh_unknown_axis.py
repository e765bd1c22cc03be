import jax
from jax.sharding import NamedSharding, PartitionSpec as P

mesh = jax.make_mesh((1,), ("data",))
sharding = NamedSharding(mesh, P("model"))
