import functools

import jax
import jax.numpy as jnp

layers = [jnp.ones((2, 3)), jnp.ones((3, 4)), jnp.ones((5, 1))]
forward = jax.jit(lambda x: functools.reduce(lambda h, w: h @ w, layers, x))
forward(jnp.ones((1, 2)))
