import jax
import jax.numpy as jnp


def broken(x):
    return x @ jnp.ones((3, 3)) @ jnp.ones((2, 2))


def works(x):
    return x @ jnp.ones((3, 3))


step = jax.jit(broken) if False else jax.jit(works)
step(jnp.ones(3))
