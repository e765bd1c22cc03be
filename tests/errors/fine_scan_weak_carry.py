import jax
import jax.numpy as jnp

final, sums = jax.lax.scan(lambda c, x: (c + x, c), 0.0, jnp.arange(5.0))
total, _ = jax.lax.scan(lambda c, x: (c + 1, None), 0, jnp.arange(5.0))
