"""What is evaluated while tracing, and what NumPy calls, runs for the trace around it."""

import jax
import jax.numpy as jnp
import numpy as np


def root(x):  # traced: 6
    return jnp.sqrt(x)


def plain(x):
    return x * 2


def rounded(x):  # traced: 3
    return np.float32(round(float(x), 1))


def scaled(x):  # traced: 3
    with jax.ensure_compile_time_eval():
        c = float(root(jnp.float32(4.0)))
        with jax.ensure_compile_time_eval():
            c = c + float(root(jnp.float32(9.0)))
    return (x * c).sum()


def marked(x):  # traced: 1
    return x + np.apply_along_axis(lambda row: rounded(row[0]), 1, np.ones((3, 1)))


jax.jit(scaled)(jnp.ones(3))
jax.grad(scaled)(jnp.ones(3))
jax.vmap(scaled)(jnp.ones((2, 3)))
jax.jit(marked)(jnp.ones(3))
with jax.ensure_compile_time_eval():
    plain(jnp.ones(3))
