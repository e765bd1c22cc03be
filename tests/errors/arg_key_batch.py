import jax

keys = jax.random.split(jax.random.key(0), 4)
jax.random.uniform(keys, (3,))
