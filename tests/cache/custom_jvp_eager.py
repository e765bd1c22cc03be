"""A jitted function and a jitted rule are traced once, however often they are differentiated."""

import jax
import jax.numpy as jnp


@jax.custom_jvp
@jax.jit
def f(x):  # traced: 1
    return jnp.sin(x)


@f.defjvp
@jax.jit
def f_jvp(primals, tangents):  # traced: 1
    return f(primals[0]), jnp.cos(primals[0]) * tangents[0]


f(1.0)
for _ in range(3):
    jax.grad(f)(1.0)
