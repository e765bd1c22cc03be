import jax
import jax.numpy as jnp


def body(x, i):
    return x + jnp.ones(3) * i


total = jax.lax.fori_loop(0, 5, body, jnp.zeros(3))
