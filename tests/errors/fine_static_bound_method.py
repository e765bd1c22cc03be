import jax
import jax.numpy as jnp
from functools import partial


class Net:
    def __init__(self, n):
        self.n = n
        self.w = jnp.ones((n, n))

    @partial(jax.jit, static_argnums=0)
    def __call__(self, x):
        if self.n > 2:
            x = x @ self.w
        return x


net = Net(3)
net(jnp.ones(3))
net(jnp.ones((2, 3)))
