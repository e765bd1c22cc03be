import jax, jax.numpy as jnp
cache = jnp.zeros((2, 16, 8), jnp.bfloat16)
@jax.jit
def write(cache, k, pos):
    return jax.lax.dynamic_update_slice(cache, k, (0, pos, 0))
write(cache, jnp.ones((2, 1, 8)), 3)
