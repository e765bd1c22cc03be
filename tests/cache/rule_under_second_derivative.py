"""Second derivatives of a function with a rule."""

import jax
import jax.numpy as jnp


@jax.jit
def helper(x):  # traced: 4
    return jnp.sin(x)


@jax.custom_jvp
def f(x):  # traced: 3
    return helper(x)


@f.defjvp
def f_jvp(primals, tangents):  # traced: 7
    return f(primals[0]), jnp.cos(primals[0]) * helper(1.0) * tangents[0]


x = jnp.ones(())
jax.grad(f)(x)
jax.grad(jax.grad(f))(x)
jax.jit(jax.grad(jax.grad(f)))(x)
jax.grad(jax.jit(jax.grad(f)))(x)
