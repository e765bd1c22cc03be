import jax
import jax.numpy as jnp


def body(i, x):
    x = x.at[i].set(i)


jax.lax.fori_loop(0, 5, body, jnp.zeros(5))
