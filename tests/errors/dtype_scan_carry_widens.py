import jax
import jax.numpy as jnp


def body(count, x):
    return count + x, count


jax.lax.scan(body, jnp.int32(0), jnp.arange(4.0))
