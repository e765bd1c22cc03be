import jax
import jax.numpy as jnp


def predict(w, x):
    return jnp.dot(w, x)


w = jnp.ones((4, 3))
xs = jnp.ones((10, 3))
jax.vmap(predict)(w, xs)
