import jax
import jax.numpy as jnp


@jax.jit
def least_squares(a, b):
    return jnp.linalg.inv(a) @ b


least_squares(jnp.ones((5, 3)), jnp.ones(5))
