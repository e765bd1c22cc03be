import jax
import jax.numpy as jnp


@jax.jit
def pool(images):
    n, h, w, c = images.shape
    return images.reshape(n, h // 2, 2, w // 2, 2, c).mean(axis=(2, 4))


pool(jnp.ones((4, 8, 8, 3)))
pool(jnp.ones((8, 8, 3)))
