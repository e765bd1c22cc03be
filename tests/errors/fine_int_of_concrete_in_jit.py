import jax
import jax.numpy as jnp

LIMIT = jnp.array(3)


@jax.jit
def f(x):
    return x.reshape(int(LIMIT), -1)


f(jnp.ones(6))
