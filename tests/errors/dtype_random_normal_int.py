import jax
import jax.numpy as jnp

noise = jax.random.normal(jax.random.key(1), (4,), dtype=jnp.int32)
