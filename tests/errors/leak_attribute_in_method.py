import jax
import jax.numpy as jnp


class Meter:
    def __init__(self):
        self.total = 0.0

    @jax.jit
    def add(x):
        return x

    def update(self, x):
        @jax.jit
        def run(x):
            self.total = self.total + x
            return x * 2

        return run(x)


meter = Meter()
meter.update(jnp.float32(1.0))
print(meter.total + 1)
