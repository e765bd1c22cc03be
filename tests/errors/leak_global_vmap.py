import jax
import jax.numpy as jnp

last = None


def f(x):
    global last
    last = x * 2
    return x


jax.vmap(f)(jnp.arange(3.0))
y = last + 1
