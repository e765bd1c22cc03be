import jax.numpy as jnp

def block(m, rows, cols):
    return m[jnp.ix_(rows, cols)]

block(jnp.eye(4), jnp.array([0, 2]), jnp.array([1]))
block(jnp.eye(4), jnp.array([[0, 2]]), jnp.array([1]))
