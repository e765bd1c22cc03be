import jax
import jax.numpy as jnp


@jax.jit
def pool(x):
    if x.ndim == 3:
        x = x[None]
    if x.shape[-1] > 3:
        return x.mean(-1)
    return x.sum(-1)


pool(jnp.ones((4, 4, 3)))
pool(jnp.ones((2, 4, 4, 5)))
