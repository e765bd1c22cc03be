import jax
import jax.numpy as jnp

def f(x):
    return jnp.sin(x) * 2

t = jax.linear_transpose(f, jnp.ones(3))
t(jnp.ones(3))
