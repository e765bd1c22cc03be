"""Parameters that are laid out once are traced for once."""
import jax
import jax.numpy as jnp
from jax.sharding import Mesh, NamedSharding, PartitionSpec as P


def loss(params, x):  # traced: 1
    return jnp.mean((x @ params["w"] + params["b"]) ** 2)


@jax.jit
def step(params, x):  # traced: 1
    grads = jax.grad(loss)(params, x)
    return jax.tree.map(lambda p, g: p - 0.1 * g, params, grads)


mesh = Mesh(jax.devices(), ("data",))
params = {"w": jnp.ones((3, 2)), "b": jnp.zeros(2)}
params = jax.device_put(params, NamedSharding(mesh, P()))
x = jax.device_put(jnp.ones((8, 3)), NamedSharding(mesh, P("data")))
for _ in range(3):
    params = step(params, x)
