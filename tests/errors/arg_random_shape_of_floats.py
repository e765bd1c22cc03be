import jax
import jax.numpy as jnp

def dropout(key, x, rate):
    n = x.shape[0] * (1 - rate)
    idx = jax.random.permutation(key, x.shape[0])
    return jax.random.bernoulli(key, rate, (n,)), idx

dropout(jax.random.key(0), jnp.ones(10), 0.5)
