import jax
import jax.numpy as jnp

def sample(key, dtype):
    return jax.random.uniform(key, (4,), dtype=dtype)

sample(jax.random.key(1), jnp.bfloat16)
sample(jax.random.key(1), jnp.int32)
