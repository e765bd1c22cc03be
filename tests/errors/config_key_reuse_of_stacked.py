import jax
import jax.numpy as jnp

jax.config.update("jax_debug_key_reuse", True)
key = jax.random.key(0)
other = jax.random.key(1)
pair = jnp.stack([key, other])
both = jax.random.split(jax.random.key(2))
noise = jax.random.normal(both[1], (3,))
again = jax.random.normal(key, (3,))
