import jax
import jax.numpy as jnp
from jax.experimental import checkify


def positive(x):
    checkify.check(x > 0, "not positive")
    return x


error, x = checkify.checkify(jax.jit(positive))(jnp.arange(3))
