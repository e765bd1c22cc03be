import jax.numpy as jnp

jnp.vdot(jnp.ones(3), jnp.ones(4))
