import jax

jax.tree.map(lambda a, b: a + b, (1, 2), [3, 4])
