import jax
import jax.numpy as jnp


def loss(w):
    n = int(w.sum())
    for _ in range(n):
        w = w * 2
    if w[0] > 1 and bool(jnp.all(w > 0)):
        w = w + w.sum().item()
    return w.sum()


jax.grad(loss)(jnp.ones(3))
