import jax
import jax.numpy as jnp
from jax.sharding import NamedSharding, PartitionSpec as P

mesh = jax.make_mesh((1,), ("data",))
rows = NamedSharding(mesh, P("data"))
w, b = jnp.ones((3, 2)), jnp.zeros(2)
if w.sharding == b.sharding:
    w = w.at[0].set(b + 1)
x = jax.device_put(jnp.ones((4, 3)), rows)
print(jnp.tanh(x @ w + b))
