import jax
import jax.numpy as jnp

x = jnp.ones(3)
y = jax.lax.cond(x.sum() > 2, x * 2, x / 2)
