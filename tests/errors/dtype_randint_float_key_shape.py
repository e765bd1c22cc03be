import jax

key = jax.random.key(0)
steps = jax.random.randint(key, (3,), 0, 10, dtype=float)
