import jax
import jax.numpy as jnp

def pool(h, ids):
    return jax.ops.segment_sum(h, ids, num_segments=3)

pool(jnp.ones((6, 4)), jnp.zeros(5, int))
