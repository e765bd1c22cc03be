"""A function with a derivative rule of its own, under jit."""

import jax
import jax.numpy as jnp


@jax.custom_jvp
def f(x):  # traced: 2
    return jnp.sin(x)


@f.defjvp
def f_jvp(primals, tangents):  # traced: 1
    return f(primals[0]), jnp.cos(primals[0]) * tangents[0]


g = jax.jit(f)
g(1.0)
g(2.0)
jax.grad(g)(1.0)
jax.grad(g)(1.0)
