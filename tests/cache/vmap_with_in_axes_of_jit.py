"""An argument that is not mapped keeps its type."""

import jax
import jax.numpy as jnp


@jax.jit
def f(w, x):  # traced: 1
    return w @ x


w, x = jnp.ones((2, 3)), jnp.ones((4, 3))
jax.vmap(f, in_axes=(None, 0))(w, x)
jax.vmap(f, in_axes=(None, 1))(w, x.T)
f(w, x[0])
