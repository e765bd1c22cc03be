import jax
import jax.numpy as jnp


@jax.jit
def drop(x):
    rest = list(x)
    del rest[0]
    del x[:1]
    return x


drop(jnp.arange(3))
