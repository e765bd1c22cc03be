import jax.numpy as jnp
from jax import lax

lax.argmax(jnp.ones((3, 4)), axis=1, index_dtype=jnp.float32)
