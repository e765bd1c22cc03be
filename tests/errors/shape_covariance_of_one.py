import jax
import jax.numpy as jnp

@jax.jit
def principal(x):
    c = jnp.cov(x, rowvar=False)
    w, v = jnp.linalg.eigh(c)
    return v[:, -1]

principal(jnp.ones((5, 3)))
principal(jnp.ones(5))
