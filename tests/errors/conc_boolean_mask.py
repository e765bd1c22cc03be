import jax
import jax.numpy as jnp


@jax.jit
def positive_mean(x):
    return x[x > 0].mean()


positive_mean(jnp.array([-1.0, 2.0, 3.0]))
