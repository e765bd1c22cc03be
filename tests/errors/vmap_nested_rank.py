import jax
import jax.numpy as jnp


def pair(a, b):
    return jnp.vdot(a, b)


gram = jax.vmap(jax.vmap(pair, (None, 0)), (0, None))
gram(jnp.ones((3, 2)), jnp.ones((4, 5)))
