"""Copied parameters have the same type."""

import copy

import jax
import jax.numpy as jnp


@jax.jit
def total(p):  # traced: 1
    return p["w"].sum()


params = {"w": jnp.ones(3)}
total(params)
total(copy.deepcopy(params))
total(copy.copy(params))
