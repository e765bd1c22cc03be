import jax
import jax.numpy as jnp

y = jax.jit(lambda x: x * 2)(jnp.ones(3))
y.block_untill_ready()
