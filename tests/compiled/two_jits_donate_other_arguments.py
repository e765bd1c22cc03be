import jax
import jax.numpy as jnp
import numpy as np


def add(x, y):
    return x + y


f, g = jax.jit(add, donate_argnums=0), jax.jit(add, donate_argnums=1)
y = jnp.ones(3)
f(jnp.zeros(3), y)
g(y, jnp.zeros(3))
f(jnp.zeros(3), y)
