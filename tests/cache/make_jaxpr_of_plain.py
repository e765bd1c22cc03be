"""The graph of a plain function, asked for several times."""

import jax
import jax.numpy as jnp


def f(x):  # traced: 2
    return x + 1


show = jax.make_jaxpr(f)
show(1.0)
show(1.0)
show(jnp.ones(2))
jax.make_jaxpr(f)(1.0)
jax.jit(f)(1.0)
