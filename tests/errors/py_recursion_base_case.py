import jax
import jax.numpy as jnp


def product(xs):
    head, *tail = xs
    return head * product(tail)


product([jnp.ones(2), jnp.ones(2)])
