import jax

key = jax.random.key(0)
seed = float(key)
