import jax
import jax.numpy as jnp

saved = []

def f(x):
    y, pull = jax.vjp(jnp.sin, x)
    saved.append(pull)
    return y

jax.jit(f)(1.0)
saved[0](1.0)
