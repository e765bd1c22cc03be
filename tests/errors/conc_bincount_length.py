import jax
import jax.numpy as jnp

histogram = jax.jit(jnp.bincount)
histogram(jnp.array([0, 1, 1, 3]))
