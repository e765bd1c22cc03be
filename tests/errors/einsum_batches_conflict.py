import jax.numpy as jnp

def scores(q, k):
    return jnp.einsum("...qd,...kd->...qk", q, k)

scores(jnp.ones((2, 4, 8)), jnp.ones((2, 6, 8)))
scores(jnp.ones((2, 4, 8)), jnp.ones((3, 6, 8)))
