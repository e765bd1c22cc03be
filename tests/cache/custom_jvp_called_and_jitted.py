"""A function with a rule, eager, compiled and differentiated."""

import jax
import jax.numpy as jnp


@jax.custom_jvp
def f(x):  # traced: 3
    return jnp.log1p(jnp.exp(x))


@f.defjvp
def rule(primals, tangents):  # traced: 2
    (x,), (t,) = primals, tangents
    return f(x), jax.nn.sigmoid(x) * t


g = jax.jit(f)
g(1.0)
g(2.0)
one, two = jnp.float32(1), jnp.float32(2)
jax.grad(f)(one)
jax.grad(g)(one)
jax.grad(g)(two)
