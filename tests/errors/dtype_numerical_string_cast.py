import jax.numpy as jnp


def load(row):
    return jnp.array([float(cell) for cell in row.split(",")])


load("1,2,3")
load("1,two,3")
