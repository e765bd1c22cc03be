"""A mesh that is set belongs to the key; an equal one is the same."""
import jax
import jax.numpy as jnp


@jax.jit
def f(x):  # traced: 3
    return x * 2


x = jnp.ones(4)
mesh, equal, other = jax.make_mesh((1,), ("d",)), jax.make_mesh((1,), ("d",)), jax.make_mesh((1,), ("e",))
f(x)
for m in (mesh, equal, other, mesh):
    with jax.set_mesh(m):
        f(x)
f(x)
