import jax
import jax.numpy as jnp


@jax.jit
def energy(field, weights):
    total = jnp.vdot(field, weights)
    return total / 2


energy(jnp.ones((3, 4)), jnp.ones((3, 5)))
