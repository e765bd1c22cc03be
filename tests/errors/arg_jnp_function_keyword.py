import jax.numpy as jnp

jnp.concatenate([jnp.ones(2), jnp.ones(2)], dim=0)
