import jax
import jax.numpy as jnp

jax.config.update("jax_enable_x64", True)
x = jnp.arange(3) + 2**40
y = jnp.ones(2).sum()
