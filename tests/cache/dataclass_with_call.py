"""A registered dataclass whose call is jitted from outside."""

from dataclasses import dataclass

import jax
import jax.numpy as jnp


@jax.tree_util.register_dataclass
@dataclass
class Dense:
    w: jax.Array
    b: jax.Array

    def __call__(self, x):  # traced: 2
        return x @ self.w + self.b


@jax.jit
def forward(layer, x):  # traced: 2
    return layer(x)


for n in (2, 3, 2):
    forward(Dense(jnp.ones((2, n)), jnp.zeros(n)), jnp.ones((4, 2)))
