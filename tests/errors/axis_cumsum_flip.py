import jax.numpy as jnp

rewards = jnp.ones(5)
returns = jnp.flip(jnp.cumsum(jnp.flip(rewards, 0), axis=1), 0)
