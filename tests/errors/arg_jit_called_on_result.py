import jax
import jax.numpy as jnp


def f(x):
    return x + 1


y = jax.vmap(f(jnp.ones(3)))(jnp.ones(3))
