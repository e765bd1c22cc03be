import jax
import jax.numpy as jnp

@jax.jit
def f(x):
    while jnp.linalg.norm(x) > 1:
        x = x / 2
    return x
f(jnp.ones(3))
