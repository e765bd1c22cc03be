import jax
import jax.numpy as jnp

def normalise(x):
    return x / jax.lax.psum(x, "batch")

def train(xs):
    a = jax.vmap(normalise, axis_name="batch")(xs)
    return a + normalise(xs)

train(jnp.ones(4))
