"""Parameters that were laid out nowhere lie over the mesh of the batch after the first step: one more trace."""
import jax
import jax.numpy as jnp
import numpy as np
from jax.sharding import Mesh, NamedSharding, PartitionSpec as P


@jax.jit
def step(params, batch):  # traced: 2
    grads = jax.grad(lambda p: ((batch @ p["w"]) ** 2).mean())(params)
    return jax.tree.map(lambda p, g: p - 0.1 * g, params, grads)


mesh = Mesh(np.array(jax.devices()), ("data",))
params = {"w": jnp.ones((3, 2)), "unused": jnp.zeros(2)}
for i in range(4):
    batch = jax.device_put(np.ones((8, 3), np.float32), NamedSharding(mesh, P("data")))
    params = step(params, batch)
