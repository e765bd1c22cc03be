"""`with mesh:` belongs to the key as well, and is another thing than `set_mesh`."""
import jax
import jax.numpy as jnp


@jax.jit
def f(x):  # traced: 3
    return x + 1


x = jnp.ones(4)
mesh = jax.make_mesh((1,), ("d",))
with mesh:
    f(x)
    f(x)
with jax.set_mesh(mesh):
    f(x)
f(x)
with mesh:
    f(x)
