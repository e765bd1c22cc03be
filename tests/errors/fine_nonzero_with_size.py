import jax
import jax.numpy as jnp


@jax.jit
def hits(x):
    return jnp.nonzero(x > 0, size=2, fill_value=-1)


hits(jnp.array([1.0, -1.0, 2.0]))
