import jax
import jax.numpy as jnp

jax.jvp(jnp.sin, (jnp.ones(3),), (jnp.ones(2),))
