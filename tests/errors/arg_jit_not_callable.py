import jax
import jax.numpy as jnp

step = jax.jit(jnp.ones(3))
