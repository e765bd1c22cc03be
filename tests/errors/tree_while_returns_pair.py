from jax import lax

lax.while_loop(lambda c: c < 3, lambda c: (c, c), 1)
