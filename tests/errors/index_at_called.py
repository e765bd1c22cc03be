import jax.numpy as jnp

x = jnp.zeros(4)
x = x.at(2).set(1.0)
