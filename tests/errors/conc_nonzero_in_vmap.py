import jax
import jax.numpy as jnp


def first_hit(row):
    return jnp.nonzero(row)[0][0]


jax.vmap(first_hit)(jnp.eye(3))
