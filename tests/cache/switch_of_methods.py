"""A switch over methods looked up each time."""

import jax


class Ops:
    def a(self, x):  # traced: 3
        return x + 1

    def b(self, x):  # traced: 3
        return x - 1


ops = Ops()
for i in range(3):
    jax.lax.switch(i % 2, [ops.a, ops.b], 1.0)
