import jax.numpy as jnp

jnp.asarray(b"raw")
