import jax
import jax.numpy as jnp
from jax import lax


def body(acc, x):
    acc[...] += x
    return acc, x


acc = jax.new_ref(jnp.zeros(()))
acc, xs = lax.scan(body, acc, jnp.arange(4.0))
