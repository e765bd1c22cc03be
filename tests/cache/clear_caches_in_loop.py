"""Caches that are emptied know no function, made anew or not."""
import jax
import jax.numpy as jnp


@jax.jit
def f(x):  # traced: 5
    return x * 2


def g(x):  # traced: 3
    return x - 1


x = jnp.ones(3)
for _ in range(3):
    f(x)
    jax.jit(g)(x)
    jax.clear_caches()
f(x)
f.clear_cache()
f(x)
