import jax
import jax.numpy as jnp

def combine(a, b):
    return jnp.concatenate([a[None], b[None]])

combine(jax.random.PRNGKey(0), jax.random.PRNGKey(1))
combine(jax.random.key(0), jax.random.PRNGKey(1))
