import jax

x = jax.random.uniform(jax.random.key(0), (3,), min=0.0, max=1.0)
