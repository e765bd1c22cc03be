import jax

a, b = jax.random.split(jax.random.key(0))
print(a == b)
print(a * 2)
