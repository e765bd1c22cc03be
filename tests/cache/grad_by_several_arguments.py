"""Which arguments are differentiated is no part of the key."""

import jax
import jax.numpy as jnp


@jax.jit
def f(a, b):  # traced: 1
    return jnp.sum(a * b)


a, b = jnp.ones(2), jnp.ones(2)
jax.grad(f, argnums=0)(a, b)
jax.grad(f, argnums=1)(a, b)
jax.grad(f, argnums=(0, 1))(a, b)
f(a, b)
