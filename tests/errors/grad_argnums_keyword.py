import jax
import jax.numpy as jnp


def loss(w, x):
    return jnp.sum(w * x)


jax.grad(loss, argnums=1)(jnp.ones(2), x=jnp.ones(2))
