import jax
import jax.numpy as jnp


@jax.jit
def total(x):
    return sum(v for v in x)


print(total(jnp.arange(3)))
total(jnp.float32(3))
