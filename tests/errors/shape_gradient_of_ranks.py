import jax
import jax.numpy as jnp


def loss(scale):
    table = jnp.ones((5, 2))
    return (scale * table).sum()


print(jax.grad(loss)(jnp.ones(3)))
