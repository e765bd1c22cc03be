import jax
import jax.numpy as jnp

log = []


@jax.jit
def f(x):
    try:
        if x > 0:
            return x
    finally:
        log.append("left")
    return -x


f(1.0)
