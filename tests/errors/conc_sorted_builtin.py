import jax
import jax.numpy as jnp


@jax.jit
def median(x):
    ordered = sorted(x)
    return ordered[len(ordered) // 2]


median(jnp.array([3.0, 1.0, 2.0]))
