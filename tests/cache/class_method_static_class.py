"""A jitted class method with its class static is traced per class."""

from functools import partial

import jax
import jax.numpy as jnp


class Base:
    scale = 1.0

    @classmethod
    @partial(jax.jit, static_argnums=0)
    def apply(cls, x):  # traced: 2
        return x * cls.scale


class Double(Base):
    scale = 2.0


for kind in (Base, Double, Base, Double):
    kind.apply(jnp.ones(2))
