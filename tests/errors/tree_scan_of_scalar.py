import jax
import jax.numpy as jnp

jax.lax.scan(lambda c, x: (c + x, c), 0.0, 5)
