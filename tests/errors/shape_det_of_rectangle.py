import jax
import jax.numpy as jnp


@jax.vmap
def log_volume(jacobian):
    return jnp.log(jnp.linalg.det(jacobian))


log_volume(jnp.ones((10, 3, 2)))
