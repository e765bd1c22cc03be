import jax

jax.lax.while_loop(lambda n: n, lambda n: n - 1, 5)
