import jax

key = jax.random.key(0)
keys = [key + i for i in range(3)]
