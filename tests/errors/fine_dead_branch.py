import jax.numpy as jnp

DEBUG = False
x = jnp.ones((2, 3))
if DEBUG:
    x = x @ x
y = x @ x if DEBUG else x.T @ x
