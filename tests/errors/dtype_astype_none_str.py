import jax
import jax.numpy as jnp


def cast(tree, dtype):
    return jax.tree.map(lambda leaf: leaf.astype(dtype), tree)


params = {"w": jnp.ones(3), "b": jnp.zeros(3)}
half = cast(params, "half16")
