import jax
import jax.numpy as jnp

jax.lax.scan(lambda c, x: (c + x, c, x), 0.0, jnp.arange(4.0))
