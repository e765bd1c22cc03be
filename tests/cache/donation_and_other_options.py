"""The same function under several options."""

import jax
import jax.numpy as jnp


def f(x):  # traced: 1
    return x + 1


plain = jax.jit(f)
giving = jax.jit(f, donate_argnums=0)
inlined = jax.jit(f, inline=True)
kept = jax.jit(f, keep_unused=True)
for g in (plain, giving, inlined, kept):
    g(jnp.ones(2))
    g(jnp.ones(2))
