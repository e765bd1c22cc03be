import jax, jax.numpy as jnp
@jax.jit
def aggregate(msgs, idx):
    return jax.ops.segment_sum(msgs, idx)
aggregate(jnp.ones((4, 2)), jnp.array([0, 0, 1, 2]))
