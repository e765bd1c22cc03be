"""A jit of functions of JAX's own, in a loop, beside one's own."""

import jax
import jax.numpy as jnp


def f(x):  # traced: 1
    return jnp.tanh(jax.nn.softmax(x))


for _ in range(3):
    jax.jit(jnp.tanh)(jnp.ones(2))
    jax.jit(f)(jnp.ones(2))
