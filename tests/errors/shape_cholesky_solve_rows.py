import jax.numpy as jnp
from jax.scipy.linalg import cho_factor, cho_solve

def posterior(k, y):
    f = cho_factor(k + 1e-3 * jnp.eye(4))
    return cho_solve(f, y)

posterior(jnp.eye(4), jnp.ones(5))
