"""A numerical check of second derivatives asks for each function on both sides, and traces it again and again."""
import jax.numpy as jnp
from jax.test_util import check_grads


def both(x):  # traced: 18
    return jnp.sum(jnp.sin(x) ** 2)


def forward(x):  # traced: 5
    return jnp.sum(jnp.sin(x) ** 2)


def backward(x):  # traced: 5
    return jnp.sum(jnp.sin(x) ** 2)


check_grads(both, (jnp.ones(3),), order=2)
check_grads(forward, (jnp.ones(3),), order=2, modes=["fwd"])
check_grads(backward, (jnp.ones(3),), order=2, modes=["rev"])
