import jax
import jax.numpy as jnp

x = jnp.zeros(3)
x = jax.ops.index_update(x, 1, 5.0)
