import jax

key, a, b = jax.random.split(jax.random.key(0))
