"""Elementwise results, transposes, sums and products of arrays that are cut along explicit axes."""
import jax
import jax.numpy as jnp
from jax.sharding import NamedSharding, PartitionSpec as P


@jax.jit
def f(x):  # traced: 5
    return x + 1


mesh = jax.make_mesh((1,), ("x",))
rows = jax.device_put(jnp.ones((8, 8)), NamedSharding(mesh, P("x")))
columns = jax.device_put(jnp.ones((8, 8)), NamedSharding(mesh, P(None, "x")))
whole = jax.device_put(jnp.ones((8, 8)), NamedSharding(mesh, P()))
for x in (rows, rows + 1, columns.T, rows * jnp.ones((8, 8)), jax.nn.relu(rows), rows @ jnp.ones((8, 8)), f(rows), jnp.clip(rows, 0, 1)):
    f(x)
for x in (columns, rows.T, jnp.ones((8, 8)) @ columns):
    f(x)
for x in (whole, whole @ whole, whole - whole.mean()):
    f(x)
for x in (rows.sum(0), whole[0]):
    f(x)
f(rows.sum(1))
