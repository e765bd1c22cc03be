"""A jit of a jitted function traces its body once."""

import jax
import jax.numpy as jnp


def body(x):  # traced: 2
    return jnp.sin(x)


once = jax.jit(body)
twice = jax.jit(once)
once(1.0)
twice(1.0)
twice(2.0)
once(jnp.ones(3))
twice(jnp.ones(3))
