import jax.numpy as jnp


def update(w, g):
    w = w - g


w, opt_state = update(jnp.ones(2), jnp.ones(2))
