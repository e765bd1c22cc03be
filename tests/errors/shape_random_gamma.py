import jax
import jax.numpy as jnp

def draw(key, a):
    return jax.random.gamma(key, a, shape=(3,))

draw(jax.random.key(0), jnp.ones(3))
draw(jax.random.key(0), jnp.ones((2, 3)))
