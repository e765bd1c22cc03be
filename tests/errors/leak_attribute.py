import jax
import jax.numpy as jnp


class BatchNorm:
    def __init__(self, n):
        self.mean = jnp.zeros(n)

    def __call__(self, x):
        self.mean = 0.9 * self.mean + 0.1 * x.mean(0)
        return x - self.mean


norm = BatchNorm(3)
apply = jax.jit(lambda x: norm(x))
apply(jnp.ones((4, 3)))
running = norm.mean + 0.0
