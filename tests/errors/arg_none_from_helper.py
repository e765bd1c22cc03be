import jax.numpy as jnp


def load(path):
    data = jnp.ones(3)


x = load("train.npz")
y = x + 1
