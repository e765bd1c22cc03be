import jax
import jax.numpy as jnp


@jax.jit
def positive_mean(x):
    mask = x > 0
    return jnp.where(mask, x, 0).sum() / mask.sum()


positive_mean(jnp.array([-1.0, 2.0, 3.0]))
