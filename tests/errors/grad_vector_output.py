import jax
import jax.numpy as jnp


def model(w, x):
    return jnp.tanh(x @ w)


jax.grad(model)(jnp.ones(3), jnp.ones((5, 3)))
