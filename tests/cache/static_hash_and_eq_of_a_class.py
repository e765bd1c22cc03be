"""A class says itself which of its objects are one key."""

from functools import partial

import jax


class Name:
    def __init__(self, text):
        self.text = text

    def __eq__(self, other):
        return self.text.lower() == other.text.lower()

    def __hash__(self):
        return hash(self.text.lower())


@partial(jax.jit, static_argnums=1)
def f(x, name):  # traced: 2
    return x + len(name.text)


for text in ("relu", "ReLU", "tanh", "TANH", "relu"):
    f(1.0, Name(text))
