import jax
import jax.numpy as jnp


def simulate(x0):
    def step(x, _):
        if x > 1:
            x = x - 1
        return x, x

    return jax.lax.scan(step, x0, None, length=5)[1]


jax.vmap(simulate)(jnp.linspace(0, 2, 3))
