import jax
import jax.numpy as jnp

def f(xs):
    return jax.lax.scan(lambda c, x: (c * x, None), 1.0, xs, unroll=-1)

f(jnp.ones(4))
