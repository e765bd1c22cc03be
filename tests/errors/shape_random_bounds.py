import jax
import jax.numpy as jnp

jax.random.uniform(jax.random.key(0), (2,), minval=jnp.ones(3))
