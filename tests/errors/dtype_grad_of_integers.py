import jax
import jax.numpy as jnp


def loss(w, x):
    return jnp.sum((w * x) ** 2)


grad = jax.grad(loss)
grad(jnp.arange(3), jnp.ones(3))
