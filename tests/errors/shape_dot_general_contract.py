import jax.numpy as jnp
from jax import lax


def project(x, w):
    return lax.dot_general(x, w, (((x.ndim - 1,), (0,)), ((), ())))


project(jnp.ones((2, 3, 4)), jnp.ones((4, 5)))
project(jnp.ones((2, 3)), jnp.ones((4, 5)))
