import jax
import jax.numpy as jnp

jax.jvp(jnp.sin, 1.0, 1.0)
