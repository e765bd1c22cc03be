import jax
import jax.numpy as jnp


def simulate(x):
    return jax.lax.fori_loop(0, 5, lambda i, v: v * 0.9 + i, x).sum()


jax.grad(simulate)(jnp.ones(3))
