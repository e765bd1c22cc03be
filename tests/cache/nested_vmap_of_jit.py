"""A map of a map meets the type of the innermost element."""

import jax
import jax.numpy as jnp


@jax.jit
def f(x, y):  # traced: 2
    return x * y


xs, ys = jnp.ones(3), jnp.ones(4)
jax.vmap(jax.vmap(f, (None, 0)), (0, None))(xs, ys)
f(xs[0], ys[0])
f(1.0, 2.0)
