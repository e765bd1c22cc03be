import jax
import jax.numpy as jnp


@jax.jit
def outer(x, ys):
    def step(carry, y):
        return carry + x * y, None
    return jax.lax.scan(step, 0.0, ys)[0]


outer(2.0, jnp.arange(3.0))
