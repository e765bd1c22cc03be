import jax
import jax.numpy as jnp


def init(sizes, seed=0):
    return [jax.random.normal((m, n)) for m, n in zip(sizes, sizes[1:])]


init([3, 4, 5])
