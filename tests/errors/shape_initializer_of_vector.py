import jax
import jax.numpy as jnp

init = jax.nn.initializers.he_normal()

def layer(key, n):
    return init(key, (n, n)), init(key, (n,))

layer(jax.random.key(0), 4)
