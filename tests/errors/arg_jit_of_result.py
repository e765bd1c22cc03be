import jax
import jax.numpy as jnp


def f(x):
    return x * 2


fast = jax.jit(f(jnp.ones(2)))
fast(jnp.ones(2))
