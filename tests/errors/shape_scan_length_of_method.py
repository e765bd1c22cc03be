import jax
import jax.numpy as jnp

class Cell:
    def __init__(self, n):
        self.w = jnp.ones((n, n))

    def __call__(self, h, x):
        h = jnp.tanh(self.w @ h + x)
        return h, h

    def unroll(self, xs, steps):
        return jax.lax.scan(self, jnp.zeros(self.w.shape[0]), xs, length=steps)

Cell(3).unroll(jnp.ones((7, 3)), 7)
Cell(3).unroll(jnp.ones((7, 3)), 8)
