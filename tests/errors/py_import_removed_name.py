from jax.tree_util import tree_map
from jax import tree_leaves

print(tree_leaves(tree_map(abs, [1, -2])))
