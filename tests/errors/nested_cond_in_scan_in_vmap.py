import jax
import jax.numpy as jnp


def step(x, t):
    x = jax.lax.cond(t > 1, lambda x: x * 2, lambda x: jnp.sum(x), x)
    return x, x


def run(x):
    return jax.lax.scan(step, x, jnp.arange(3))


jax.vmap(run)(jnp.ones((4, 2)))
