import jax
import jax.numpy as jnp

values = jnp.ones(4)
jax.ops.segment_sum(values, jnp.array([0.0, 0.0, 1.0, 1.0]), num_segments=2)
