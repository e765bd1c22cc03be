import jax

jax.random.normal(jax.random.key(0), "3")
