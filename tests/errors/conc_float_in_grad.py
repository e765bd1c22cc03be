import jax
import jax.numpy as jnp


def loss(w):
    if w.sum() > 0:
        w = 2 * w
    size = int(w.sum())
    norm = float(jnp.linalg.norm(w))
    return (w / norm).sum() + size


print(jax.grad(loss)(jnp.ones(3)))
