"""The forward rule of a function under jit and under grad of jit."""

import jax
import jax.numpy as jnp


@jax.jit
def helper(x):  # traced: 2
    return x * 3.0


@jax.custom_vjp
def f(x):  # traced: 1
    return jnp.sum(helper(x))


def forward(x):  # traced: 2
    return jnp.sum(helper(x)), x


def backward(x, g):  # traced: 2
    return (helper(x) * 0 + g,)


f.defvjp(forward, backward)
x = jnp.ones(4)
helper(x)
f(x)
jax.jit(f)(x)
jax.jit(jax.grad(f))(x)
jax.grad(jax.jit(f))(x)
