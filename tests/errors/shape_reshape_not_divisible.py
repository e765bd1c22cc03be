import jax
import jax.numpy as jnp


@jax.jit
def chunks(x):
    return x.reshape(-1, 7)


chunks(jnp.zeros(21))
chunks(jnp.zeros(20))
