"""An optimizer's own update, jitted as a method of a named tuple."""

import jax
import jax.numpy as jnp
import optax

optimizer = optax.sgd(0.1, momentum=0.9)


@jax.jit
def loss(w):  # traced: 1
    return jnp.sum(w ** 2)


update = jax.jit(optimizer.update)
w = jnp.ones(2)
state = optimizer.init(w)
for _ in range(3):
    updates, state = update(jax.grad(loss)(w), state)
    w = optax.apply_updates(w, updates)
