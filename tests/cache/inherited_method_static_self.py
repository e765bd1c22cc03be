"""A method of the base class is one function for its subclasses."""

from functools import partial

import jax
import jax.numpy as jnp


class Base:
    @partial(jax.jit, static_argnums=0)
    def apply(self, x):  # traced: 2
        return self.inner(x)


class Plus(Base):
    def inner(self, x):  # traced: 1
        return x + 1


class Minus(Base):
    def inner(self, x):  # traced: 1
        return x - 1


plus, minus = Plus(), Minus()
for model in (plus, minus, plus, minus):
    model.apply(jnp.ones(2))
