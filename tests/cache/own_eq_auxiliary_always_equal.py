"""Auxiliary data that says that it is equal to everything of its class."""

import jax
import jax.numpy as jnp


class Label:
    def __init__(self, text):
        self.text = text

    __eq__ = lambda self, other: isinstance(other, Label)
    __hash__ = lambda self: hash(self.text)


class Tagged:
    def __init__(self, value, label):  # traced: 1
        self.value, self.label = value, label


jax.tree_util.register_pytree_node(
    Tagged, lambda t: ((t.value,), t.label), lambda label, children: Tagged(children[0], label))


@jax.jit
def total(tagged):  # traced: 1
    return tagged.value.sum()


for text in ("a", "b"):
    total(Tagged(jnp.ones(2), Label(text)))
