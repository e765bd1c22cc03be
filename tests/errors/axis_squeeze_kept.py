import jax
import jax.numpy as jnp


@jax.jit
def predict(x):
    return jnp.squeeze(x @ jnp.ones((4, 2)), axis=-1)


predict(jnp.ones((3, 4)))
