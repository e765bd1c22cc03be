import jax
import jax.numpy as jnp


@jax.jit
def inner(x):
    return x @ jnp.ones((5, 2))


@jax.jit
def outer(x):
    y = jnp.sin(x)
    return inner(y)


outer(jnp.ones((3, 4)))
