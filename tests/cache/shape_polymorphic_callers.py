"""A jitted helper called with many types by one outer function."""

import jax
import jax.numpy as jnp


@jax.jit
def norm(x):  # traced: 2
    return jnp.sqrt((x ** 2).sum())


@jax.jit
def norms(tree):  # traced: 2
    return jax.tree.map(norm, tree)


norms({"w": jnp.ones((2, 2)), "b": jnp.ones(2), "c": jnp.ones(2)})
norms({"w": jnp.ones((2, 2)), "b": jnp.ones(2)})
