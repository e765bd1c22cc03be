import jax
import jax.numpy as jnp

order = jax.random.permutation(jax.random.key(0), (3, 4))
