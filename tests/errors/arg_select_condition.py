import jax.numpy as jnp

jnp.select([jnp.ones(3)], [jnp.ones(3)])
