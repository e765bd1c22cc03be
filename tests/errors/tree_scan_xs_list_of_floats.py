import jax

jax.lax.scan(lambda c, x: (c + x, x), 0.0, [0.1, 0.2, 0.3])
