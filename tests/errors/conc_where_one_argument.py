import jax
import jax.numpy as jnp

f = jax.jit(lambda x: jnp.where(x > 0)[0].sum())
f(jnp.arange(3))
