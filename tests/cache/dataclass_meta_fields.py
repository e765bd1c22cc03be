"""Meta fields are compared, data fields are traced."""

from dataclasses import dataclass
from functools import partial

import jax
import jax.numpy as jnp


@partial(jax.tree_util.register_dataclass, data_fields=["w"], meta_fields=["name"])
@dataclass
class Layer:
    w: jax.Array
    name: str


@jax.jit
def apply(layer, x):  # traced: 2
    return layer.w * x


for name in ("in", "out", "in"):
    for w in (1.0, 2.0):
        apply(Layer(w, name), jnp.ones(2))
