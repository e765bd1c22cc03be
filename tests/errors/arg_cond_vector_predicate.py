import jax
import jax.numpy as jnp

x = jnp.array([1.0, -1.0])
jax.lax.cond(x > 0, jnp.sin, jnp.cos, x)
