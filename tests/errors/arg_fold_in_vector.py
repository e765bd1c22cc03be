import jax
import jax.numpy as jnp

keys = jax.random.fold_in(jax.random.key(0), jnp.arange(4))
