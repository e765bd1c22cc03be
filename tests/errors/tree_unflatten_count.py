import jax

leaves, treedef = jax.tree.flatten({"a": 1, "b": (2, 3)})
jax.tree.unflatten(treedef, leaves + [4])
