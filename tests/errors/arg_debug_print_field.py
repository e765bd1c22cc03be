import jax
import jax.numpy as jnp

@jax.jit
def f(x):
    jax.debug.print("x = {x} and {}", x=x)
    return x

f(1.0)
