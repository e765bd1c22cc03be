import math
import jax
import jax.numpy as jnp


def body(carry, t):
    carry = carry * math.exp(-t)
    return carry, carry


final, path = jax.lax.scan(body, 1.0, jnp.arange(5.0))
