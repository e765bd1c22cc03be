from typing import NamedTuple

import jax
import jax.numpy as jnp


class Params(NamedTuple):
    w: jax.Array
    b: jax.Array


@jax.jit
def forward(p, x):
    return x @ p.w + p.b


forward(Params(jnp.ones((2, 3)), jnp.zeros(3)), jnp.ones(2))
