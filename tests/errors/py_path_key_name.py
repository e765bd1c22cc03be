import jax, jax.numpy as jnp
params = {"layer1": {"kernel": jnp.ones((2, 2))}}
def decay(path, x):
    if path[-1].name == "kernel":
        return x * 0.9
    return x
jax.tree_util.tree_map_with_path(decay, params)
