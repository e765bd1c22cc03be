"""A batching rule of one's own, called at once and for an equation."""

import jax
import jax.numpy as jnp


@jax.jit
def helper(x):  # traced: 3
    return x + 1


@jax.custom_batching.custom_vmap
def f(x):  # traced: 3
    return helper(x)


@f.def_vmap
def f_rule(size, batched, x):  # traced: 2
    return helper(x), batched[0]


x = jnp.ones((3, 2))
helper(x)
jax.vmap(f)(x)
jax.vmap(jax.jit(f))(x)
jax.jit(jax.vmap(f))(x)
