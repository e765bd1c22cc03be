import jax

jax.random.choice(jax.random.key(0), 3, (5,), replace=False)
