import jax
import jax.numpy as jnp


def simulate(x, steps):
    return jax.lax.fori_loop(0, steps, lambda i, v: v * 0.9, x)


def loss(x, steps):
    return simulate(x, steps).sum()


print(jax.jit(loss)(jnp.ones(3), 5))
jax.jit(jax.grad(loss))(jnp.ones(3), 5)
