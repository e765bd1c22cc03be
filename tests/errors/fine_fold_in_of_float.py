import jax
import jax.numpy as jnp

def keys(base, epochs):
    return [jax.random.fold_in(base, e / 2) for e in range(epochs)]

keys(jax.random.key(0), 3)
