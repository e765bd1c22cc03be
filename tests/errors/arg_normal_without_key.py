import jax

jax.random.normal((3, 4))
