import jax
import jax.numpy as jnp


@jax.jit
def pool(x):
    if x.ndim == 3:
        out = x.mean(0)
    elif x.ndim == 2:
        out = x
    return out


pool(jnp.ones((2, 2)))
pool(jnp.ones(2))
