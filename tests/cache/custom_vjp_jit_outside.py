"""The gradient of a jit that holds a rule."""

import jax
import jax.numpy as jnp


@jax.custom_vjp
def double(x):  # traced: 1
    return x * 2


def forward(x):  # traced: 1
    return x * 2, None


def backward(_, g):  # traced: 1
    return (g * 2,)


double.defvjp(forward, backward)


@jax.jit
def loss(x):  # traced: 1
    return double(x).sum()


loss(jnp.ones(2))
jax.grad(loss)(jnp.ones(2))
jax.grad(loss)(jnp.ones(2))
