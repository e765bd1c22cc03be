import jax

keep = jax.random.bernoulli(jax.random.key(0), 1, (4,))
