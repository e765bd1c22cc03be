import jax
import jax.numpy as jnp

x = jnp.ones(3)
x.devices()


@jax.jit
def f(x):
    x.devices()
    return x


f(x)
