import jax
import jax.numpy as jnp

keys = jax.random.split(jax.random.key(0), 3)
rows = jnp.concatenate([keys, jnp.zeros(3)])
