import jax
import jax.numpy as jnp

def minibatch(key, x, n):
    idx = jax.random.choice(key, x.shape[0], (n,), replace=False)
    return x[idx]

minibatch(jax.random.key(0), jnp.ones((10, 2)), 5)
minibatch(jax.random.key(0), jnp.ones((10, 2)), 50)
