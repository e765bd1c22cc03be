"""The transpose of a jitted linear function."""

import jax
import jax.numpy as jnp


@jax.jit
def double(x):  # traced: 1
    return 2 * x


x = jnp.ones(3)
jax.linear_transpose(double, x)(x)
double(x)
jax.linear_transpose(double, x)(x)
