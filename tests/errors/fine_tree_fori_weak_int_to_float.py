import jax

average = jax.lax.fori_loop(0, 10, lambda i, x: x / 2 + i, 1)
