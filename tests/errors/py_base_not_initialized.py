import jax.numpy as jnp

class Base:
    def __init__(self, width):
        self.w = jnp.ones((width, width))

class Child(Base):
    def __init__(self, width, depth):
        self.depth = depth

    def __call__(self, x):
        for _ in range(self.depth):
            x = x @ self.w
        return x

Child(3, 2)(jnp.ones(3))
