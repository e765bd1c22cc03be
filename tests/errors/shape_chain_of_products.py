import jax.numpy as jnp

def chain(*ms):
    return jnp.linalg.multi_dot(ms)

chain(jnp.ones((2, 3)), jnp.ones((3, 4)), jnp.ones((5, 2)))
