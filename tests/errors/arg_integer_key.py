import jax

jax.random.normal(42, (3,))
