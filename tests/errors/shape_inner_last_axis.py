import jax.numpy as jnp

jnp.inner(jnp.ones((2, 3)), jnp.ones((2, 4)))
