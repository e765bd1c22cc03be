from jax import lax

lax.scan(lambda c, x: (c, x), 0.0)
