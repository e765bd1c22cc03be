import jax
import jax.numpy as jnp


@jax.jit
def fill(x, values):
    return x.at[x < 0].set(values)


fill(jnp.array([-1.0, 2.0]), jnp.array([5.0]))
