import jax
import jax.numpy as jnp


@jax.jit
def deposit(density, values):
    return density.at[2:5].add(values)


deposit(jnp.zeros(8), jnp.ones(4))
