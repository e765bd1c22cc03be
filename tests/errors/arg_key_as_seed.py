import jax

key = jax.random.key(0)
jax.random.key(key)
