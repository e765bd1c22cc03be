import jax
import jax.numpy as jnp

def names(tree):
    flat, _ = jax.tree_util.tree_flatten_with_path(tree)
    return [path[0].name for path, leaf in flat]

names({"a": jnp.ones(2), "b": [jnp.ones(1)]})
