import jax
import jax.numpy as jnp


@jax.jit
def multiply(a, b):
    try:
        return a @ b
    except TypeError as error:
        raise RuntimeError("layers do not fit") from error


multiply(jnp.ones((2, 3)), jnp.ones((2, 3)))
