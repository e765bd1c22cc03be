import jax
import jax.numpy as jnp

counts = jax.new_ref(jnp.zeros(4, jnp.float32))


@jax.jit
def bump(i):
    counts[i] += 1
    counts[i] = 1


bump(2)
