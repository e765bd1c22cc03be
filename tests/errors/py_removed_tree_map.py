import jax

jax.tree_map(lambda x: x, [1, 2])
