"""What `__eq__` leaves out is that of the first object."""

import jax
import jax.numpy as jnp


class Layer:
    def __init__(self, name, width):
        self.name, self.width = name, width

    def __eq__(self, other):
        return isinstance(other, Layer) and self.width == other.width

    def __hash__(self):
        return hash(("layer", self.width))

    def __call__(self, x):  # traced: 2
        return jnp.broadcast_to(x, (self.width,))


layers = [Layer("a", 2), Layer("b", 2), Layer("c", 3)]
for layer in layers:
    jax.jit(layer)(1.0)
