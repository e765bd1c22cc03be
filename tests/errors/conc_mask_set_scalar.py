import jax
import jax.numpy as jnp


@jax.jit
def relu(x):
    return x.at[x < 0].set(0.0)


relu(jnp.array([-1.0, 2.0]))
