"""A jitted helper is traced again where the derivative rule of a jitted function calls it."""

import jax
import jax.numpy as jnp


@jax.jit
def helper(x):  # traced: 3
    return jnp.sin(x) * 2


@jax.custom_jvp
def f(x):  # traced: 3
    return helper(x)


@f.defjvp
def f_jvp(primals, tangents):  # traced: 1
    return f(primals[0]), helper(primals[0]) * tangents[0]


x = jnp.arange(3.0)
helper(x)
jax.jvp(f, (x,), (x,))
jax.jvp(jax.jit(f), (x,), (x,))
helper(x)
jax.vmap(jax.jit(f))(x)
