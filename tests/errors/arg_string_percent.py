import jax
import jax.numpy as jnp


@jax.jit
def log(x):
    message = "loss: %.3f" % x
    return x


log(jnp.float32(0.5))
