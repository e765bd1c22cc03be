import jax

collatz = jax.jit(lambda n: jax.lax.while_loop(lambda n: n > 1, lambda n: n // 2, n))
collatz(17)
