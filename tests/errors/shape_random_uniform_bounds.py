import jax
import jax.numpy as jnp

low = jnp.zeros(3)
high = jnp.ones(4)
jax.random.uniform(jax.random.key(1), (4,), minval=low, maxval=high)
