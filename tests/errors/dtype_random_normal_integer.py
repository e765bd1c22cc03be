import jax
import jax.numpy as jnp

jax.random.normal(jax.random.key(0), (2,), jnp.int32)
