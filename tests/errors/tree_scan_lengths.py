import jax
import jax.numpy as jnp


def step(total, batch):
    x, y = batch
    return total + jnp.sum(x) * y, None


xs = (jnp.ones((10, 3)), jnp.ones(9))
jax.lax.scan(step, 0.0, xs)
