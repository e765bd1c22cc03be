import jax
import jax.numpy as jnp

key = jax.random.key(0)
jax.random.uniform(key, (3,), dtype=jnp.int32)
