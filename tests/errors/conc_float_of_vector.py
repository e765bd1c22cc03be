import jax
import jax.numpy as jnp


@jax.jit
def f(x):
    return x * float(x)


f(jnp.ones(3))
