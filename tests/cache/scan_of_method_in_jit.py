"""A scan over a method inside of a jitted method."""

from functools import partial

import jax
import jax.numpy as jnp


class RNN:
    def __init__(self, w):
        self.w = w

    def step(self, h, x):  # traced: 2
        h = jnp.tanh(self.w * h + x)
        return h, h

    @partial(jax.jit, static_argnums=0)
    def run(self, xs):  # traced: 2
        return jax.lax.scan(self.step, jnp.float32(0), xs)[1]


rnn = RNN(0.5)
for n in (3, 3, 4):
    rnn.run(jnp.ones(n))
