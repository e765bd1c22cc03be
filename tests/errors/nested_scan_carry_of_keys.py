import jax
import jax.numpy as jnp

def walk(carry, _):
    key, x = carry
    k1, k2 = jax.random.split(key)
    return (jax.random.split(k1), x + jax.random.normal(k2)), x

def simulate(seed):
    return jax.lax.scan(walk, (jax.random.key(seed), 0.0), None, length=10)

simulate(3)
