"""A jitted function called many times in one trace."""

import jax
import jax.numpy as jnp


@jax.jit
def layer(w, x):  # traced: 2
    return jnp.tanh(w @ x)


@jax.jit
def net(ws, x):  # traced: 2
    for w in ws:
        x = layer(w, x)
    return x


net([jnp.ones((3, 3))] * 4, jnp.ones(3))
net([jnp.ones((3, 3))] * 2 + [jnp.ones((2, 3))], jnp.ones(3))
