"""A while loop of lambdas inside of a jit."""

import jax
import jax.numpy as jnp


def twice(x):  # traced: 2
    return x * 2


@jax.jit
def grow(x):  # traced: 2
    return jax.lax.while_loop(lambda v: v.sum() < 100, lambda v: twice(v), x)


grow(jnp.ones(2))
grow(jnp.ones(2) * 3)
grow(jnp.ones(3))
