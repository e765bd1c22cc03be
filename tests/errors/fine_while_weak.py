import jax
import jax.numpy as jnp

n, x = jax.lax.while_loop(lambda s: s[0] < 5, lambda s: (s[0] + 1, s[1] / 2), (0, 8.0))
y = jax.lax.fori_loop(0, 3, lambda i, y: y + i, 1.0)
