import jax
import jax.numpy as jnp

jax.jvp(lambda x: x * 2, (jnp.ones(3),), (jnp.ones(3, jnp.int32),))
