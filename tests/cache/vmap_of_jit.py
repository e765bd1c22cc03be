"""A map over a jitted function traces it for one element."""

import jax
import jax.numpy as jnp


@jax.jit
def f(x):  # traced: 2
    return jnp.sin(x) * 2


x = jnp.ones((4, 3))
jax.vmap(f)(x)
jax.vmap(f)(x)
f(x[0])
jax.vmap(f)(jnp.ones((5, 3)))
f(x)
