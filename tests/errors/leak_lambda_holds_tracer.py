import jax
import jax.numpy as jnp

finish = None


@jax.jit
def prepare(x):
    global finish
    bias = x.mean()
    finish = lambda y: y + bias
    return x


prepare(jnp.ones(3))
finish(jnp.zeros(3))
