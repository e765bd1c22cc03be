from jax import lax

lax.while_loop(lambda i, c: i < 3, lambda i, c: (i + 1, c), (0, 1.0))
