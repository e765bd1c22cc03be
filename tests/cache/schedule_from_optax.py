"""A learning rate from a schedule of optax."""

import jax
import jax.numpy as jnp
import optax

schedule = optax.exponential_decay(0.1, 10, 0.9)


@jax.jit
def update(w, rate):  # traced: 1
    return w - rate


w = jnp.ones(2)
for count in range(3):
    w = update(w, schedule(count))
