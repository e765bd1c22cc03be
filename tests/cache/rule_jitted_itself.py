"""A jitted derivative rule, called at once and for an equation."""

import jax
import jax.numpy as jnp


@jax.custom_jvp
def f(x):  # traced: 3
    return jnp.exp(x)


@f.defjvp
@jax.jit
def f_jvp(primals, tangents):  # traced: 2
    y = f(primals[0])
    return y, y * tangents[0]


x = jnp.ones(2)
jax.jvp(f, (x,), (x,))
jax.jvp(jax.jit(f), (x,), (x,))
jax.jit(lambda x: jax.jvp(f, (x,), (x,)))(x)
