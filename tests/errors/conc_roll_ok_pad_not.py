import jax
import jax.numpy as jnp


@jax.jit
def shift(x, by):
    rolled = jnp.roll(x, by)
    return jnp.pad(rolled, (by, 0))


shift(jnp.arange(4), 1)
