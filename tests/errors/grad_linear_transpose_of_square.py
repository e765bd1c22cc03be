import jax
import jax.numpy as jnp

f = jax.linear_transpose(lambda x: x * x, jnp.ones(3))
f(jnp.ones(3))
