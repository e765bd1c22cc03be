import jax
import jax.numpy as jnp


@jax.jit
def make_buffer(n):
    buffer = jax.new_ref(jnp.zeros(3) + n)
    buffer[0] = 1.0
    return {"buffer": buffer}


state = make_buffer(2.0)
