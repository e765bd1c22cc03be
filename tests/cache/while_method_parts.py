"""A while loop of methods that are looked up each time."""

import jax
import jax.numpy as jnp


class Search:
    def running(self, x):  # traced: 2
        return x < 100

    def double(self, x):  # traced: 2
        return x * 2


search = Search()
for _ in range(2):
    jax.lax.while_loop(search.running, search.double, jnp.int32(1))
