"""Under a mesh that is set, what is made lies over it; what was made before does not."""
import jax
import jax.numpy as jnp
import numpy as np


@jax.jit
def f(x):  # traced: 3
    return x + 1


x = jnp.ones(8)
mesh = jax.make_mesh((1,), ("x",))
f(x)
with jax.set_mesh(mesh):
    f(x)
    f(np.ones(8, np.float32))
    f(x + 1)
    for y in (jnp.ones(8), x * 2, f(x), jnp.array(x), jnp.asarray(np.ones(8, np.float32)), jnp.zeros(8)):
        f(y)
    f(jnp.asarray(x))
f(x)
