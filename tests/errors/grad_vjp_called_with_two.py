import jax
import jax.numpy as jnp

out, pull = jax.vjp(lambda x: (x, x**2), 2.0)
pull(1.0, 1.0)
