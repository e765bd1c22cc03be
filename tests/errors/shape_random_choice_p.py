import jax
import jax.numpy as jnp

key = jax.random.key(0)
arms = jnp.arange(5)
jax.random.choice(key, arms, p=jnp.ones(4) / 4)
