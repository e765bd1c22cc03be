import jax
import jax.numpy as jnp

jax.random.randint(jax.random.key(0), (3,), 0, 10, dtype=jnp.float32)
