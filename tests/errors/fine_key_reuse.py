import jax

key = jax.random.key(0)
a = jax.random.normal(key, (2,))
b = jax.random.uniform(key, (2,))
legacy = jax.random.normal(jax.random.PRNGKey(1), (3,))
