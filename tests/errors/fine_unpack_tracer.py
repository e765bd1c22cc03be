import jax
import jax.numpy as jnp


@jax.jit
def rotate(point, angle):
    x, y = point
    c, s = jnp.cos(angle), jnp.sin(angle)
    return jnp.array([c * x - s * y, s * x + c * y])


rotate(jnp.array([1.0, 0.0]), 0.5)
