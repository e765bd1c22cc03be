"""jvp, vjp and linearize of a jitted function."""

import jax
import jax.numpy as jnp


@jax.jit
def f(x):  # traced: 1
    return jnp.exp(x)


x = jnp.ones(2)
jax.jvp(f, (x,), (x,))
y, back = jax.vjp(f, x)
back(x)
y, forward = jax.linearize(f, x)
forward(x)
f(x)
