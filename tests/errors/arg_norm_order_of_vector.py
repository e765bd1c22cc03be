import jax.numpy as jnp

def penalty(w):
    return jnp.linalg.norm(w, ord="nuc")

penalty(jnp.ones((3, 2)))
penalty(jnp.ones(3))
