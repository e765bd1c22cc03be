"""What where, minimum and clip make of weak operands."""

import jax
import jax.numpy as jnp


@jax.jit
def f(x):  # traced: 2
    return x + 1


x = jnp.float32(2.0)
f(x)
f(jnp.where(x > 1, 1.0, 0.0))
f(jnp.minimum(x, 3.0))
f(jnp.clip(2.0, 0.0, 1.0))
f(jnp.asarray(2.0))
f(jnp.array(2.0))
f(x * 2.0)
f(2.0 * jnp.asarray(2.0))
