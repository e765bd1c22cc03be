import jax
import jax.numpy as jnp


@jax.jit
def f(x):
    y = x
    y += 1
    y *= x
    return y


f(jnp.ones(3))
